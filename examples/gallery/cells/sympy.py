# @name sympy
import sympy

x = sympy.Symbol("x")
sympy.Eq(sympy.Integral(sympy.exp(-(x**2)), (x, -sympy.oo, sympy.oo)), sympy.sqrt(sympy.pi))
