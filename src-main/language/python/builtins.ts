/**
 * Public names that every cell has without an import, in Python 3.10 to 3.14. `exit` and similar names come from the
 * site module, which interpreters load at start.
 */
export const PYTHON_BUILTINS: ReadonlySet<string> = new Set(
  `
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError
    BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError
    ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError Ellipsis
    EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError
    FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning
    IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt
    LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented
    NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError
    ProcessLookupError PythonFinalizationError RecursionError ReferenceError ResourceWarning
    RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning
    SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError
    Warning ZeroDivisionError abs aiter all anext any ascii bin bool breakpoint
    bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir
    divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help
    hex id input int isinstance issubclass iter len license list locals map max memoryview min next
    object oct open ord pow print property quit range repr reversed round set setattr slice sorted
    staticmethod str sum super tuple type vars zip
  `
    .trim()
    .split(/\s+/),
);
