//! NumPy arrays as slices of rows, and back.
//!
//! [`Array::borrow`] copies nothing: it takes float64 arrays whose rows lie one after the other, and says what is wrong
//! with any other. [`Array::convert`] is for what is small or copied anyway, and takes whatever NumPy makes numbers of.
//! [`new_array`] hands memory of Rust over to Python. Rows are `[f64; N]` for a shape of (n, N), or `f64` for (n,).
//!
//! While a borrow lives, no other function of Rust writes to that array. Python code in another thread still can when
//! the interpreter is released, as in any NumPy function.

use crate::errors::Exception;
use numpy::{
    PyArray1, PyArrayDescrMethods as _, PyArrayDyn, PyArrayMethods as _, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods as _, dtype,
};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::marker::PhantomData;

/// What one body has in an array: a number or a few.
pub(crate) trait Row: Copy + std::fmt::Debug {
    /// The shape without its first entry, the number of rows.
    const SHAPE: &'static [usize];
    fn from_numbers(numbers: &[f64]) -> &[Self];
    fn into_numbers(rows: Vec<Self>) -> Vec<f64>;
    fn is_finite(&self) -> bool;
}

impl Row for f64 {
    const SHAPE: &'static [usize] = &[];

    fn from_numbers(numbers: &[f64]) -> &[Self] {
        numbers
    }

    fn into_numbers(rows: Vec<Self>) -> Vec<f64> {
        rows
    }

    fn is_finite(&self) -> bool {
        f64::is_finite(*self)
    }
}

impl<const N: usize> Row for [f64; N] {
    const SHAPE: &'static [usize] = &[N];

    fn from_numbers(numbers: &[f64]) -> &[Self] {
        numbers.as_chunks().0
    }

    fn into_numbers(rows: Vec<Self>) -> Vec<f64> {
        rows.into_flattened()
    }

    fn is_finite(&self) -> bool {
        self.iter().all(Row::is_finite)
    }
}

/// An array that was given as an argument.
pub(crate) struct Array<'py, R> {
    name: &'static str,
    borrowed: PyReadonlyArrayDyn<'py, f64>,
    row: PhantomData<R>,
}

impl<'py, R: Row> Array<'py, R> {
    /// The argument `name`, where it is in memory.
    pub(crate) fn borrow(name: &'static str, given: &Bound<'py, PyAny>) -> Result<Self, Exception> {
        let array = numbers(name, given)?;
        check_layout::<R>(name, array.as_untyped())?;
        let borrowed = array.try_readonly().map_err(|_| {
            Exception::input(format_args!(
                "{name}: the array is being written to by a function that is under way"
            ))
        })?;
        Ok(Self { name, borrowed, row: PhantomData })
    }

    /// The argument `name`, or a copy of it in float64, with its rows one after the other.
    pub(crate) fn convert(name: &'static str, given: &Bound<'py, PyAny>) -> Result<Self, Exception> {
        Self::borrow(name, &converted(name, given)?)
    }

    /// The same array, if all its numbers are finite.
    pub(crate) fn finite(self) -> Result<Self, Exception> {
        match self.rows()?.iter().enumerate().find(|(_, row)| !row.is_finite()) {
            None => Ok(self),
            Some((number, row)) => Err(Exception::input(format_args!(
                "{}: all numbers must be finite, but row {number} is {row:?}",
                self.name
            ))),
        }
    }

    /// The rows. This fails only if Python code has changed the array's own shape since it was borrowed.
    pub(crate) fn rows(&self) -> Result<&[R], Exception> {
        check_layout::<R>(self.name, self.borrowed.as_untyped())?;
        Ok(R::from_numbers(self.borrowed.as_slice().map_err(PyErr::from)?))
    }
}

/// Rows as a new array, which takes their memory over.
pub(crate) fn new_array<R: Row>(py: Python<'_>, rows: Vec<R>) -> PyResult<Bound<'_, PyArrayDyn<f64>>> {
    let shape = [&[rows.len()], R::SHAPE].concat();
    PyArray1::from_vec(py, R::into_numbers(rows)).reshape(shape)
}

/// `given` as an array of float64 of any shape.
fn numbers<'py>(name: &str, given: &Bound<'py, PyAny>) -> Result<Bound<'py, PyArrayDyn<f64>>, Exception> {
    let py = given.py();
    let array = given.cast::<PyUntypedArray>().map_err(|_| {
        let kind = given.get_type();
        wrong_type(format!(
            "{name}: expected a NumPy array, found {kind}; numpy.array({name}, dtype=float) makes one"
        ))
    })?;
    let found = array.dtype();
    if !found.is_equiv_to(&dtype::<f64>(py)) {
        return Err(wrong_type(format!(
            "{name}: expected an array of float64, found {found}; {name}.astype(float) converts it"
        )));
    }
    Ok(array.cast::<PyArrayDyn<f64>>().map_err(PyErr::from)?.clone())
}

/// Makes sure that the shape is that of rows `R`, and that they lie one after the other.
fn check_layout<R: Row>(name: &str, array: &Bound<'_, PyUntypedArray>) -> Result<(), Exception> {
    let shape = array.shape();
    if shape.split_first().is_none_or(|(_, rest)| rest != R::SHAPE) {
        let expected = match R::SHAPE {
            [] => "(n,)".to_owned(),
            lengths => {
                format!("(n, {})", lengths.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
            }
        };
        return Err(Exception::input(format_args!(
            "{name}: expected an array of shape {expected}, found {}",
            array.getattr(intern!(array.py(), "shape"))?
        )));
    }
    if !array.is_c_contiguous() || !array.is_aligned() {
        return Err(Exception::input(format_args!(
            "{name}: the rows must lie one after the other in memory, but the array has strides of {} bytes; \
             numpy.ascontiguousarray({name}) makes a copy that is in order",
            array.getattr(intern!(array.py(), "strides"))?
        )));
    }
    Ok(())
}

/// What NumPy makes of `given`: itself, if it is an array as it should be. Texts and complex numbers are refused.
fn converted<'py>(name: &str, given: &Bound<'py, PyAny>) -> Result<Bound<'py, PyAny>, Exception> {
    let py = given.py();
    let array =
        numpy::get_array_module(py)?.call_method1(intern!(py, "asarray"), (given,)).map_err(|error| {
            Exception::input(format_args!("{name}: NumPy cannot make an array of it: {}", error.value(py)))
        })?;
    let found = array.getattr(intern!(py, "dtype"))?;
    let options = PyDict::new(py);
    options.set_item(intern!(py, "order"), "C")?;
    options.set_item(intern!(py, "casting"), "same_kind")?;
    options.set_item(intern!(py, "copy"), false)?;
    array
        .call_method(intern!(py, "astype"), (dtype::<f64>(py),), Some(&options))
        .map_err(|_| wrong_type(format!("{name}: expected real numbers, found {found}")))
}

fn wrong_type(text: String) -> Exception {
    PyTypeError::new_err(text).into()
}
