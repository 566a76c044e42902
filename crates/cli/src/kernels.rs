//! Where the program keeps kernels that it has compiled for graphics cards.

use std::path::PathBuf;

/// `$XDG_CACHE_HOME/tumble`, or `~/.cache/tumble`; nowhere if the environment has neither.
pub(crate) fn folder() -> Option<PathBuf> {
    let named =
        |variable: &str| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    caches.map(|caches| caches.join("tumble"))
}
