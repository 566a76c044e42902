//! The publications that measures come from.

pub use tumble_dem::citations::Citation;

macro_rules! citations {
    ($($name:ident: $short:literal, $full:literal, $doi:expr;)*) => {
        $(
            #[doc = $full]
            pub const $name: Citation = Citation { short: $short, full: $full, doi: $doi };
        )*
    };
}

citations! {
    GOLDHIRSCH_2010: "Goldhirsch 2010",
        "I. Goldhirsch, Stress, stress asymmetry and couple stress: from discrete particles to continuous fields, Granul. Matter 12 (2010) 239–252",
        Some("10.1007/s10035-010-0181-z");
    WEINHART_2012: "Weinhart et al. 2012",
        "T. Weinhart, A. R. Thornton, S. Luding, O. Bokhove, From discrete particles to continuum fields near a boundary, Granul. Matter 14 (2012) 289–294",
        Some("10.1007/s10035-012-0317-4");
    SCHOENBERG_1946: "Schoenberg 1946",
        "I. J. Schoenberg, Contributions to the problem of approximation of equidistant data by analytic functions, Quart. Appl. Math. 4 (1946) 45–99",
        None;
    STROBL_2016: "Strobl et al. 2016",
        "S. Strobl, A. Formella, T. Pöschel, Exact calculation of the overlap volume of spheres and mesh elements, J. Comput. Phys. 311 (2016) 158–172",
        Some("10.1016/j.jcp.2016.02.003");
    THORNTON_2000: "Thornton 2000",
        "C. Thornton, Numerical simulations of deviatoric shear deformation of granular media, Géotechnique 50 (2000) 43–53",
        Some("10.1680/geot.2000.50.1.43");
    ODA_1982: "Oda 1982",
        "M. Oda, Fabric tensor for discontinuous geological materials, Soils Found. 22 (1982) 96–108",
        Some("10.3208/sandf1972.22.4_96");
    RADJAI_1996: "Radjai et al. 1996",
        "F. Radjai, M. Jean, J.-J. Moreau, S. Roux, Force distributions in dense two-dimensional granular systems, Phys. Rev. Lett. 77 (1996) 274–277",
        Some("10.1103/PhysRevLett.77.274");
    CHRISTOFFERSEN_1981: "Christoffersen et al. 1981",
        "J. Christoffersen, M. M. Mehrabadi, S. Nemat-Nasser, A micromechanical description of granular material behavior, J. Appl. Mech. 48 (1981) 339–344",
        Some("10.1115/1.3157619");
    LACEY_1954: "Lacey 1954",
        "P. M. C. Lacey, Developments in the theory of particle mixing, J. Appl. Chem. 4 (1954) 257–268",
        Some("10.1002/jctb.5010040504");
    DANCKWERTS_1953: "Danckwerts 1953",
        "P. V. Danckwerts, Continuous flow systems: distribution of residence times, Chem. Eng. Sci. 2 (1953) 1–13",
        Some("10.1016/0009-2509(53)80001-1");
    BEAKAWI_2018: "Beakawi Al-Hashemi & Baghabra Al-Amoudi 2018",
        "H. M. Beakawi Al-Hashemi, O. S. Baghabra Al-Amoudi, A review on the angle of repose of granular materials, Powder Technol. 330 (2018) 397–417",
        Some("10.1016/j.powtec.2018.02.003");
    ALLEN_2003: "Allen 2003",
        "T. Allen, Powder Sampling and Particle Size Determination, Elsevier (2003)",
        None;
}
