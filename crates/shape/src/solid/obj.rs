//! Wavefront OBJ files, of which the corners (`v`) and the faces (`f`) are read; the rest (normals, textures, groups, materials) has no
//! meaning for a solid. Faces of more than three corners become fans. Numbers of corners count from 1, negative ones from the last.

use super::Point;

/// The triangles of an OBJ text; an error is a line, counted from 1, and what is wrong with it.
pub(super) fn parse(text: &str) -> Result<Vec<[Point; 3]>, (usize, String)> {
    let mut points: Vec<Point> = Vec::new();
    let mut triangles = Vec::new();
    for (line, words) in (1..).zip(text.lines().map(|line| line.split('#').next().unwrap_or_default())) {
        let mut words = words.split_whitespace();
        match words.next() {
            Some("v") => points.push(corner(words).map_err(|problem| (line, problem))?),
            Some("f") => {
                let face: Vec<Point> = words
                    .map(|word| find(word, &points))
                    .collect::<Result<_, _>>()
                    .map_err(|problem| (line, problem))?;
                if face.len() < 3 {
                    return Err((
                        line,
                        format!("a face has at least three corners, this one has {}", face.len()),
                    ));
                }
                triangles.extend(face[1..].windows(2).map(|pair| [face[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(triangles)
}

fn corner<'a>(words: impl Iterator<Item = &'a str>) -> Result<Point, String> {
    let mut numbers = [0.0; 3];
    let mut count = 0;
    // A fourth is a weight, and more are colours.
    for (place, word) in numbers.iter_mut().zip(words) {
        *place = word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| {
            format!("expected a finite number, found `{}`", word.chars().take(40).collect::<String>())
        })?;
        count += 1;
    }
    if count < 3 {
        Err(format!("a corner has three coordinates, this one has {count}"))
    } else {
        Ok(Point::from_array(numbers))
    }
}

/// The corner that `7`, `7/1`, `7//3` or `-1` names.
fn find(word: &str, points: &[Point]) -> Result<Point, String> {
    let number = word.split('/').next().unwrap_or_default();
    let shown = || word.chars().take(40).collect::<String>();
    let number: i64 =
        number.parse().map_err(|_| format!("expected the number of a corner, found `{}`", shown()))?;
    let place =
        if number < 0 { i64::try_from(points.len()).unwrap_or(i64::MAX) + number } else { number - 1 };
    let found = usize::try_from(place).ok().and_then(|place| points.get(place));
    found.copied().ok_or_else(|| {
        format!("there is no corner `{}`: {} were given before this line", shown(), points.len())
    })
}
