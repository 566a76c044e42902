//! The publications that cases come from, beside those of the contact laws and rotation schemes.

pub(super) use tumble_measure::citations::{GOLDHIRSCH_2010, WEINHART_2012};
use tumble_rotation::citations::Citation;

macro_rules! citations {
    ($($name:ident: $short:literal, $full:literal, $doi:expr;)*) => {
        $(
            #[doc = $full]
            pub(crate) const $name: Citation = Citation { short: $short, full: $full, doi: $doi };
        )*
    };
}

citations! {
    LEES_1972: "Lees & Edwards 1972",
        "A. W. Lees, S. F. Edwards, The computer study of transport processes under extreme conditions, J. Phys. C 5 (1972) 1921–1929",
        Some("10.1088/0022-3719/5/15/006");
    JOP_2006: "Jop et al. 2006",
        "P. Jop, Y. Forterre, O. Pouliquen, A constitutive law for dense granular flows, Nature 441 (2006) 727–730",
        Some("10.1038/nature04801");
    DUFFY_1957: "Duffy & Mindlin 1957",
        "J. Duffy, R. D. Mindlin, Stress–strain relations and vibrations of a granular medium, J. Appl. Mech. 24 (1957) 585–593",
        None;
    CHUNG_2011: "Chung & Ooi 2011",
        "Y. C. Chung, J. Y. Ooi, Benchmark tests for verifying discrete element modelling codes at particle impact level, Granul. Matter 13 (2011) 643–656",
        Some("10.1007/s10035-011-0277-0");
    MAW_1976: "Maw et al. 1976",
        "N. Maw, J. R. Barber, J. N. Fawcett, The oblique impact of elastic spheres, Wear 38 (1976) 101–114",
        Some("10.1016/0043-1648(76)90201-5");
    JOHNSON_1985: "Johnson 1985",
        "K. L. Johnson, Contact Mechanics, Cambridge University Press (1985), chapters 4 and 11",
        Some("10.1017/CBO9781139171731");
    KHARAZ_2001: "Kharaz et al. 2001",
        "A. H. Kharaz, D. A. Gorham, A. D. Salman, An experimental study of the elastic rebound of spheres, Powder Technol. 120 (2001) 281–291",
        Some("10.1016/S0032-5910(01)00283-2");
    FOERSTER_1994: "Foerster et al. 1994",
        "S. F. Foerster, M. Y. Louge, H. Chang, K. Allia, Measurements of the collision properties of small spheres, Phys. Fluids 6 (1994) 1108–1115",
        Some("10.1063/1.868282");
    STRONGE_2000: "Stronge 2000",
        "W. J. Stronge, Impact Mechanics, Cambridge University Press (2000), chapters 3 and 4",
        Some("10.1017/CBO9780511626432");
    LANDAU_1976: "Landau & Lifshitz 1976",
        "L. D. Landau, E. M. Lifshitz, Mechanics, 3rd ed., Pergamon (1976), §§ 11, 17, 21, 35–37",
        None;
    VAN_ZON_2007: "van Zon & Schofield 2007",
        "R. van Zon, J. Schofield, Numerical implementation of the exact dynamics of free rigid bodies, J. Comput. Phys. 225 (2007) 145–164",
        Some("10.1016/j.jcp.2006.11.019");
    ASHBAUGH_1991: "Ashbaugh et al. 1991",
        "M. S. Ashbaugh, C. C. Chicone, R. H. Cushman, The twisting tennis racket, J. Dyn. Differ. Equ. 3 (1991) 67–85",
        Some("10.1007/BF01049489");
    BRULS_2012: "Brüls et al. 2012",
        "O. Brüls, A. Cardona, M. Arnold, Lie group generalized-α time integration of constrained flexible multibody systems, Mech. Mach. Theory 48 (2012) 121–137",
        Some("10.1016/j.mechmachtheory.2011.07.017");
    KREMMER_2001: "Kremmer & Favier 2001",
        "M. Kremmer, J. F. Favier, A method for representing boundaries in discrete element modelling, part I: geometry and contact detection, Int. J. Numer. Methods Eng. 51 (2001) 1407–1421",
        Some("10.1002/nme.184");
    AVIS_1988: "Avis et al. 1988",
        "D. Avis, B. K. Bhattacharya, H. Imai, Computing the volume of the union of spheres, Vis. Comput. 3 (1988) 323–328",
        Some("10.1007/BF01901190");
    HAIRER_2006: "Hairer et al. 2006",
        "E. Hairer, C. Lubich, G. Wanner, Geometric Numerical Integration, 2nd ed., Springer (2006)",
        Some("10.1007/3-540-30666-8");
    ALLEN_2017: "Allen & Tildesley 2017",
        "M. P. Allen, D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., Oxford University Press (2017), section 1.6",
        Some("10.1093/oso/9780198803195.001.0001");
    DEMMEL_2015: "Demmel & Nguyen 2015",
        "J. Demmel, H. D. Nguyen, Parallel reproducible summation, IEEE Trans. Comput. 64 (2015) 2060–2070",
        Some("10.1109/TC.2014.2345391");
    KUZKIN_2012: "Kuzkin & Asonov 2012",
        "V. A. Kuzkin, I. E. Asonov, Vector-based model of elastic bonds for simulation of granular solids, Phys. Rev. E 86 (2012) 051301",
        Some("10.1103/PhysRevE.86.051301");
    POTYONDY_2004: "Potyondy & Cundall 2004",
        "D. O. Potyondy, P. A. Cundall, A bonded-particle model for rock, Int. J. Rock Mech. Min. Sci. 41 (2004) 1329–1364",
        Some("10.1016/j.ijrmms.2004.09.011");
    COWPER_1966: "Cowper 1966",
        "G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966) 335–340",
        Some("10.1115/1.3625046");
    MATTIASSON_1981: "Mattiasson 1981",
        "K. Mattiasson, Numerical results from large deflection beam and frame problems analysed by means of elliptic integrals, Int. J. Numer. Methods Eng. 17 (1981) 145–153",
        Some("10.1002/nme.1620170113");
    CARSLAW_1959: "Carslaw & Jaeger 1959",
        "H. S. Carslaw, J. C. Jaeger, Conduction of Heat in Solids, 2nd ed., Oxford University Press (1959)",
        None;
    CLIFT_1978: "Clift et al. 1978",
        "R. Clift, J. R. Grace, M. E. Weber, Bubbles, Drops, and Particles, Academic Press (1978), chapters 3 and 11",
        None;
    LUCK_1993: "Luck & Mehta 1993",
        "J. M. Luck, A. Mehta, Bouncing ball with a finite restitution: chattering, locking, and chaos, Phys. Rev. E 48 (1993) 3988–3997",
        Some("10.1103/PhysRevE.48.3988");
}
