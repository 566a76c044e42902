//! "Did you mean": the nearest of the words that are known.

/// The known word that someone who wrote `word` may have meant.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |text: &str| text.to_lowercase().replace(['_', ' '], "-");
    // Long words are no typos, and comparing them would take long.
    if word.len() > 60 {
        return None;
    }
    let written = fold(word);
    let distance = |candidate: &str| strsim::damerau_levenshtein(&written, &fold(candidate));
    let allowed = 1 + written.chars().count() / 4;
    let (nearest, off) =
        known.into_iter().map(|known| (known, distance(known))).min_by_key(|&(_, off)| off)?;
    (off <= allowed && off < nearest.chars().count()).then_some(nearest)
}

/// A list of words in one line, cut where it gets long.
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 40;
    let words: Vec<&str> = words.into_iter().collect();
    let shown = words.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if words.len() > MOST { format!("{shown}, … ({} in all)", words.len()) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typos_are_recognised_and_other_words_not() {
        let known = ["density", "young", "poisson", "spiral-leapfrog"];
        assert_eq!(nearest("densty", known), Some("density"));
        assert_eq!(nearest("Spiral_Leapfrog", known), Some("spiral-leapfrog"));
        assert_eq!(nearest("poison", known), Some("poisson"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("", known), None);
    }
}
