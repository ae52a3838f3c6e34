import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * For tests: a repository of tiny R packages with the layout of CRAN, and a small `renv` with the functions of the real
 * one that are used (init, install, snapshot, restore, dependencies, paths), so that no network is needed.
 */
export interface TestRRepository {
  readonly root: string;
  /** Settings with which R, or a server, uses it; includes an installed renv when that was requested. */
  readonly env: Readonly<Record<string, string>>;
  /** Adds a source package; `code`: its one R file, from which all names are exported. */
  add(pkg: TestRPackage): Promise<void>;
  /** Makes it unreachable. */
  vanish(): Promise<void>;
  close(): Promise<void>;
}

interface TestRPackage {
  readonly name: string;
  readonly version: string;
  readonly code?: string;
  readonly depends?: readonly string[];
}

export const NO_R = 'this machine has no Rscript (Debian: apt-get install r-base-core)';
export const hasR = ((): boolean => {
  try {
    execFileSync('Rscript', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export async function createTestRRepository(options: {
  /** `installed`: R has renv; `offered`: renv can be downloaded; `none`: neither. */
  readonly renv: 'installed' | 'offered' | 'none';
}): Promise<TestRRepository> {
  const root = await mkdtemp(join(tmpdir(), 'cellar-r-packages-'));
  const contrib = join(root, 'src', 'contrib');
  const site = join(root, 'site');
  const sources = join(root, 'sources');
  for (const folder of [contrib, site, sources]) await mkdir(folder, { recursive: true });
  const index = new Map<string, string>();
  const writeIndex = (): Promise<void> =>
    writeFile(join(contrib, 'PACKAGES'), [...index.values()].join('\n'));

  async function build(pkg: TestRPackage): Promise<string> {
    const folder = join(sources, `${pkg.name}-${pkg.version}`);
    const inside = join(folder, pkg.name);
    await mkdir(join(inside, 'R'), { recursive: true });
    await writeFile(join(inside, 'DESCRIPTION'), `${description(pkg)}${LICENCE}`);
    await writeFile(join(inside, 'NAMESPACE'), 'exportPattern("^[a-z]")\n');
    await writeFile(join(inside, 'R', 'code.R'), pkg.code ?? `version <- function() "${pkg.version}"\n`);
    const file = join(contrib, `${pkg.name}_${pkg.version}.tar.gz`);
    execFileSync('tar', ['czf', file, '-C', folder, pkg.name]);
    return file;
  }
  const add = async (pkg: TestRPackage): Promise<void> => {
    await build(pkg);
    index.set(pkg.name, description(pkg));
    await writeIndex();
  };
  await writeIndex();
  if (options.renv === 'offered') await add(RENV);
  if (options.renv === 'installed') {
    const file = await build(RENV);
    execFileSync('R', ['CMD', 'INSTALL', '--no-docs', `--library=${site}`, file], { stdio: 'ignore' });
  }
  return {
    root,
    env: { R_LIBS: site, R_LIBS_USER: site, RENV_CONFIG_REPOS_OVERRIDE: pathToFileURL(root).href },
    add,
    vanish: () => rm(contrib, { recursive: true, force: true }),
    close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const LICENCE =
  'Title: For Tests\nDescription: For tests.\nLicense: MIT\nAuthor: Nobody\nMaintainer: Nobody <a@b.c>\n';

function description({ name, version, depends = [] }: TestRPackage): string {
  const imports = depends.length === 0 ? '' : `Imports: ${depends.join(', ')}\n`;
  return `Package: ${name}\nVersion: ${version}\n${imports}`;
}

const RENV: TestRPackage = {
  name: 'renv',
  version: '1.0.0',
  code: `
paths <- list(library = function(project = NULL) {
  version <- paste0("R-", R.version$major, ".", sub("[.].*", "", R.version$minor))
  file.path(project, "renv", "library", "test", version, R.version$platform)
})

init <- function(project = NULL, ..., bare = FALSE, restart = interactive()) {
  if (!isTRUE(getOption("renv.consent"))) stop("consent has not been provided")
  dir.create(paths$library(project), recursive = TRUE, showWarnings = FALSE)
  writeLines("stop('nothing of renv runs in cells')", file.path(project, "renv", "activate.R"))
  cat("source(\\"renv/activate.R\\")\\n", file = file.path(project, ".Rprofile"), append = TRUE)
  invisible(project)
}

install <- function(packages, ..., library = NULL, prompt = interactive(), project = NULL) {
  offered <- rownames(utils::available.packages())
  for (name in packages) {
    if (!name %in% offered) stop("failed to retrieve package '", name, "'", call. = FALSE)
    if (name == "slow") Sys.sleep(60)
    utils::install.packages(name, lib = library, type = "source")
  }
}

snapshot <- function(project = NULL, ..., library = NULL, lockfile = NULL, type = NULL, prompt = interactive(),
                     force = FALSE) {
  if (!identical(type, "all")) stop("only all of the library makes a lock that restores it")
  names <- list.files(library)
  records <- vapply(names, function(name) {
    version <- read.dcf(file.path(library, name, "DESCRIPTION"), "Version")[1]
    sprintf('"%s": {"Package": "%s", "Version": "%s", "Source": "Repository"}', name, name, version)
  }, "")
  writeLines(sprintf('{"R": {"Version": "%s"}, "Packages": {%s}}', getRversion(), toString(records)), lockfile)
}

restore <- function(project = NULL, ..., library = NULL, lockfile = NULL, prompt = interactive()) {
  text <- paste(readLines(lockfile), collapse = "")
  found <- regmatches(text, gregexpr('"Package": "[^"]*", "Version": "[^"]*"', text))[[1]]
  for (one in found) {
    parts <- strsplit(one, '"')[[1]]
    file <- paste0(parts[4], "_", parts[8], ".tar.gz")
    installed <- tryCatch(read.dcf(file.path(library, parts[4], "DESCRIPTION"), "Version")[1], error = function(e) "")
    if (parts[4] == "renv" || identical(installed, parts[8])) next
    source <- file.path(tempdir(), file)
    status <- tryCatch(
      utils::download.file(file.path(utils::contrib.url(getOption("repos"), "source"), file), source, quiet = TRUE),
      error = function(e) stop("failed to retrieve package '", parts[4], "@", parts[8], "'", call. = FALSE)
    )
    utils::install.packages(source, lib = library, repos = NULL, type = "source")
    cat("- Installed", parts[4], parts[8], "\\n")
  }
}

dependencies <- function(path, ..., progress = TRUE) {
  files <- list.files(path, "[.][rR]$", full.names = TRUE)
  lines <- unlist(lapply(files, readLines, warn = FALSE))
  found <- regmatches(lines, regexec("library[(]([A-Za-z0-9.]+)[)]", lines))
  data.frame(Package = vapply(Filter(length, found), function(one) one[2], ""))
}
`,
};
