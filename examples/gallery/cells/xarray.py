# @name xarray
import xarray as xr

months.set_index(["city", "month"]).to_xarray()
