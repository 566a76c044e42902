//! The publications that schemes come from.

/// A publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Author and year, for tables.
    pub short: &'static str,
    /// The full reference.
    pub full: &'static str,
    /// The digital object identifier, where there is one.
    pub doi: Option<&'static str>,
}

macro_rules! citations {
    ($($name:ident: $short:literal, $full:literal, $doi:expr;)*) => {
        $(
            #[doc = $full]
            pub const $name: Citation = Citation { short: $short, full: $full, doi: $doi };
        )*
    };
}

citations! {
    DEL_VALLE_2024: "del Valle et al. 2024",
        "C. A. del Valle, V. Angelidakis, S. Roy, J. D. Muñoz, T. Pöschel, SPIRAL: An efficient algorithm for the integration of the equation of rotational motion, Comput. Phys. Commun. 297 (2024) 109077",
        Some("10.1016/j.cpc.2023.109077");
    ZHAO_2013: "Zhao & van Wachem 2013",
        "F. Zhao, B. G. M. van Wachem, A novel quaternion integration approach for describing the behaviour of non-spherical particles, Acta Mech. 224 (2013) 3091–3109",
        Some("10.1007/s00707-013-0914-2");
    SEELEN_2016: "Seelen et al. 2016",
        "L. J. H. Seelen, J. T. Padding, J. A. M. Kuipers, Improved quaternion-based integration scheme for rigid body motion, Acta Mech. 227 (2016) 3381–3389",
        Some("10.1007/s00707-016-1670-x");
    FINCHAM_1992: "Fincham 1992",
        "D. Fincham, Leapfrog rotational algorithms, Mol. Simul. 8 (1992) 165–178",
        Some("10.1080/08927029208022474");
    BUSS_2000: "Buss 2000",
        "S. R. Buss, Accurate and efficient simulation of rigid-body rotations, J. Comput. Phys. 164 (2000) 377–406",
        Some("10.1006/jcph.2000.6602");
    OMELYAN_1998: "Omelyan 1998",
        "I. P. Omelyan, Algorithm for numerical integration of the rigid-body equations of motion, Phys. Rev. E 58 (1998) 1169–1172",
        Some("10.1103/PhysRevE.58.1169");
    JOHNSON_2008: "Johnson et al. 2008",
        "S. M. Johnson, J. R. Williams, B. K. Cook, Quaternion-based rigid body rotation integration algorithms for use in particle methods, Int. J. Numer. Methods Eng. 74 (2008) 1303–1313",
        Some("10.1002/nme.2210");
    PFC_2008: "PFC3D 4.0 2008",
        "Itasca Consulting Group, PFC3D: Particle Flow Code in 3 Dimensions, version 4.0, user's manual, Minneapolis (2008)",
        None;
    KUTTA_1901: "Kutta 1901",
        "W. Kutta, Beitrag zur näherungsweisen Integration totaler Differentialgleichungen, Z. Math. Phys. 46 (1901) 435–453",
        None;
    VERLET_1967: "Verlet 1967",
        "L. Verlet, Computer “experiments” on classical fluids. I, Phys. Rev. 159 (1967) 98–103",
        Some("10.1103/PhysRev.159.98");
    WALTON_1993: "Walton & Braun 1993",
        "O. R. Walton, R. L. Braun, Simulation of rotary-drum and repose tests for frictional spheres and rigid sphere clusters, Joint DOE/NSF Workshop on Flow of Particulates and Fluids, Ithaca (1993)",
        None;
    KLEPPMANN_2007: "Kleppmann 2007",
        "M. Kleppmann, Simulation of colliding constrained rigid bodies, Technical Report UCAM-CL-TR-683, University of Cambridge (2007)",
        None;
    KLOSS_2012: "Kloss et al. 2012",
        "C. Kloss, C. Goniva, A. Hager, S. Amberger, S. Pirker, Models, algorithms and validation for opensource DEM and CFD–DEM, Prog. Comput. Fluid Dyn. 12 (2012) 140–152",
        Some("10.1504/PCFD.2012.047457");
    EVANS_1977: "Evans & Murad 1977",
        "D. J. Evans, S. Murad, Singularity free algorithm for molecular dynamics simulation of rigid polyatomics, Mol. Phys. 34 (1977) 327–331",
        Some("10.1080/00268977700101761");
    ISERLES_1999: "Iserles & Nørsett 1999",
        "A. Iserles, S. P. Nørsett, On the solution of linear differential equations in Lie groups, Phil. Trans. R. Soc. A 357 (1999) 983–1019",
        Some("10.1098/rsta.1999.0362");
    CELLEDONI_2008: "Celledoni et al. 2008",
        "E. Celledoni, F. Fassò, N. Säfström, A. Zanna, The exact computation of the free rigid body motion and its use in splitting methods, SIAM J. Sci. Comput. 30 (2008) 2084–2112",
        Some("10.1137/070704393");
    DULLWEBER_1997: "Dullweber et al. 1997",
        "A. Dullweber, B. Leimkuhler, R. McLachlan, Symplectic splitting methods for rigid body molecular dynamics, J. Chem. Phys. 107 (1997) 5840–5851",
        Some("10.1063/1.474310");
    MILLER_2002: "Miller et al. 2002",
        "T. F. Miller III, M. Eleftheriou, P. Pattnaik, A. Ndirango, D. Newns, G. J. Martyna, Symplectic quaternion scheme for biophysical molecular dynamics, J. Chem. Phys. 116 (2002) 8649–8659",
        Some("10.1063/1.1473654");
    AUSTIN_1993: "Austin et al. 1993",
        "M. A. Austin, P. S. Krishnaprasad, L.-S. Wang, Almost Poisson integration of rigid body systems, J. Comput. Phys. 107 (1993) 105–117",
        Some("10.1006/jcph.1993.1128");
}
