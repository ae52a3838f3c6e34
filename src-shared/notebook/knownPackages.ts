/** Python packages that notebooks often use, for completion in the Environment panel. */

import { PACKAGE_OF, WINDOW_PACKAGES } from './importNames.ts';
import { normalizedName, readRequirement } from './requirement.ts';

/** Packages that data notebooks often use: suggested without querying an index, which cannot be searched. */
const COMMON_PACKAGES =
  'aiohttp altair anndata arrow arviz astropy asyncpg autogluon awkward azure-identity azure-storage-blob ' +
  'beautifulsoup4 biopython bokeh boto3 bottleneck cartopy catboost category-encoders causalml cftime chardet click ' +
  'cloudpickle cupy-cuda12x cvxpy cython dash dask dask-ml databricks-sdk datasets datashader dbt-core delta-spark ' +
  'deltalake distributed dowhy duckdb econml einops emcee evaluate faker fastapi fastparquet featuretools fiona ' +
  'flask flax folium formulaic fsspec gcsfs gdal gensim geoalchemy2 geopandas geopy ggplot google-auth ' +
  'google-cloud-bigquery google-cloud-storage gradio graphviz great-expectations gspread h3 h5netcdf h5py hdbscan ' +
  'holidays holoviews httpx huggingface-hub hvplot hypothesis ibis-framework imageio imbalanced-learn intake ' +
  'ipyleaflet ipywidgets jax jinja2 joblib jsonschema kaggle keras kornia langchain lifelines lightgbm lightning ' +
  'lime linearmodels llama-index lmfit loguru lxml mapclassify matplotlib mesa missingno mlflow modin mpmath msgpack ' +
  'mypy mysqlclient nbformat netcdf4 networkx nltk numba numexpr numpy onnx onnxruntime openai opencv-python ' +
  'openpyxl optuna orjson osmnx pandas pandas-datareader pandera panel papermill param patsy pendulum pillow plotly ' +
  'plotnine pmdarima polars prefect prettytable prophet psutil psycopg psycopg2-binary pulp pyarrow pycaret pydantic ' +
  'pydeck pyjanitor pymc pymongo pymupdf pymysql pynndescent pyodbc pypdf pyproj pyreadr pyreadstat pyspark pystan ' +
  'pytest python-dateutil python-docx python-dotenv python-louvain python-pptx pytorch-lightning pytz pyvista ' +
  'pywavelets pyyaml qrcode rasterio ray redis regex reportlab requests rich river rtree s3fs sacrebleu scikit-image ' +
  'scikit-learn scikit-optimize scikit-posthocs scipy scrapy seaborn selenium sentence-transformers sentencepiece ' +
  'shap shapely simpy skl2onnx skorch snowflake-connector-python spacy sqlalchemy sqlglot sqlmodel sqlparse ' +
  'statsforecast statsmodels streamlit sympy tables tabulate tenacity tensorflow textblob tiktoken timm torch ' +
  'torchaudio torchmetrics torchvision tqdm transformers tsfresh typer tzdata umap-learn uvicorn vaex vega-datasets ' +
  'wandb websockets wordcloud xarray xgboost xlrd xlsxwriter xlwings yellowbrick yfinance zarr';

/** More import names that differ from their package's. */
const IMPORTED_AS: Readonly<Record<string, readonly string[]>> = {
  'azure-identity': ['azure.identity'],
  'azure-storage-blob': ['azure.storage.blob'],
  'cupy-cuda12x': ['cupy'],
  'databricks-sdk': ['databricks.sdk'],
  'dbt-core': ['dbt'],
  'delta-spark': ['delta'],
  'google-auth': ['google.auth'],
  'google-cloud-bigquery': ['google.cloud.bigquery'],
  'google-cloud-storage': ['google.cloud.storage'],
  'ibis-framework': ['ibis'],
  netcdf4: ['netCDF4'],
  pyjanitor: ['janitor'],
  pywavelets: ['pywt'],
  'snowflake-connector-python': ['snowflake.connector'],
  'vega-datasets': ['vega_datasets'],
};

interface KnownPackage {
  readonly name: string;
  /** Its import name, if it differs from the package name. */
  readonly imports: readonly string[];
}

function known(): readonly KnownPackage[] {
  const imports = new Map<string, Set<string>>(COMMON_PACKAGES.split(' ').map((name) => [name, new Set()]));
  const add = (name: string, imported: string): void => {
    const all = imports.get(name) ?? new Set<string>();
    imports.set(name, all.add(imported));
  };
  for (const [imported, requirement] of Object.entries({ ...WINDOW_PACKAGES, ...PACKAGE_OF })) {
    add(normalizedName(readRequirement(requirement)?.name ?? requirement), imported);
  }
  for (const [name, names] of Object.entries(IMPORTED_AS)) for (const one of names) add(name, one);
  return [...imports].map(([name, all]) => ({
    name,
    imports: [...all].filter((one) => normalizedName(one) !== name),
  }));
}

/** Packages whose names are known without an index. */
export const KNOWN_PACKAGES: readonly KnownPackage[] = known();
