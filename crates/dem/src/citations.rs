//! The publications that the contact models come from.

pub use tumble_rotation::citations::Citation;

macro_rules! citations {
    ($($name:ident: $short:literal, $full:literal, $doi:expr;)*) => {
        $(
            #[doc = $full]
            pub const $name: Citation = Citation { short: $short, full: $full, doi: $doi };
        )*
    };
}

citations! {
    HERTZ_1882: "Hertz 1882",
        "H. Hertz, Über die Berührung fester elastischer Körper, J. reine angew. Math. 92 (1882) 156–171",
        Some("10.1515/crll.1882.92.156");
    MINDLIN_1949: "Mindlin 1949",
        "R. D. Mindlin, Compliance of elastic bodies in contact, J. Appl. Mech. 16 (1949) 259–268",
        Some("10.1115/1.4009973");
    CUNDALL_1979: "Cundall & Strack 1979",
        "P. A. Cundall, O. D. L. Strack, A discrete numerical model for granular assemblies, Géotechnique 29 (1979) 47–65",
        Some("10.1680/geot.1979.29.1.47");
    TSUJI_1992: "Tsuji et al. 1992",
        "Y. Tsuji, T. Tanaka, T. Ishida, Lagrangian numerical simulation of plug flow of cohesionless particles in a horizontal pipe, Powder Technol. 71 (1992) 239–250",
        Some("10.1016/0032-5910(92)88030-L");
    SCHAEFER_1996: "Schäfer et al. 1996",
        "J. Schäfer, S. Dippel, D. E. Wolf, Force schemes in simulations of granular materials, J. Phys. I France 6 (1996) 5–20",
        Some("10.1051/jp1:1996129");
    SCHWAGER_2007: "Schwager & Pöschel 2007",
        "T. Schwager, T. Pöschel, Coefficient of restitution and linear–dashpot model revisited, Granul. Matter 9 (2007) 465–469",
        Some("10.1007/s10035-007-0065-z");
    JOHNSON_1971: "Johnson et al. 1971",
        "K. L. Johnson, K. Kendall, A. D. Roberts, Surface energy and the contact of elastic solids, Proc. R. Soc. Lond. A 324 (1971) 301–313",
        Some("10.1098/rspa.1971.0141");
    DERJAGUIN_1975: "Derjaguin et al. 1975",
        "B. V. Derjaguin, V. M. Muller, Yu. P. Toporov, Effect of contact deformations on the adhesion of particles, J. Colloid Interface Sci. 53 (1975) 314–326",
        Some("10.1016/0021-9797(75)90018-1");
    HAMAKER_1937: "Hamaker 1937",
        "H. C. Hamaker, The London–van der Waals attraction between spherical particles, Physica 4 (1937) 1058–1072",
        Some("10.1016/S0031-8914(37)80203-7");
    WALTON_1986: "Walton & Braun 1986",
        "O. R. Walton, R. L. Braun, Viscosity, granular-temperature, and stress calculations for shearing assemblies of inelastic, frictional disks, J. Rheol. 30 (1986) 949–980",
        Some("10.1122/1.549893");
    LUDING_2008: "Luding 2008",
        "S. Luding, Cohesive, frictional powders: contact models for tension, Granul. Matter 10 (2008) 235–246",
        Some("10.1007/s10035-008-0099-x");
    WILLETT_2000: "Willett et al. 2000",
        "C. D. Willett, M. J. Adams, S. A. Johnson, J. P. K. Seville, Capillary bridges between two spherical bodies, Langmuir 16 (2000) 9396–9405",
        Some("10.1021/la000657y");
    RABINOVICH_2005: "Rabinovich et al. 2005",
        "Y. I. Rabinovich, M. S. Esayanur, B. M. Moudgil, Capillary forces between two spheres with a fixed volume liquid bridge: theory and experiment, Langmuir 21 (2005) 10992–10997",
        Some("10.1021/la0517639");
    ADAMS_1985: "Adams & Perchard 1985",
        "M. J. Adams, V. Perchard, The cohesive forces between particles with interstitial liquid, Inst. Chem. Eng. Symp. Ser. 91 (1985) 147–160",
        None;
    GOLDMAN_1967: "Goldman et al. 1967",
        "A. J. Goldman, R. G. Cox, H. Brenner, Slow viscous motion of a sphere parallel to a plane wall — I. Motion through a quiescent fluid, Chem. Eng. Sci. 22 (1967) 637–651",
        Some("10.1016/0009-2509(67)80047-2");
    LIAN_1993: "Lian et al. 1993",
        "G. Lian, C. Thornton, M. J. Adams, A theoretical study of the liquid bridge forces between two rigid spherical bodies, J. Colloid Interface Sci. 161 (1993) 138–147",
        Some("10.1006/jcis.1993.1452");
    THORNTON_1991: "Thornton & Yin 1991",
        "C. Thornton, K. K. Yin, Impact of elastic spheres with and without adhesion, Powder Technol. 65 (1991) 153–166",
        Some("10.1016/0032-5910(91)80178-L");
    THORNTON_1997: "Thornton 1997",
        "C. Thornton, Coefficient of restitution for collinear collisions of elastic–perfectly plastic spheres, J. Appl. Mech. 64 (1997) 383–386",
        Some("10.1115/1.2787319");
    THORNTON_1998: "Thornton & Ning 1998",
        "C. Thornton, Z. Ning, A theoretical model for the stick/bounce behaviour of adhesive, elastic–plastic spheres, Powder Technol. 99 (1998) 154–162",
        Some("10.1016/S0032-5910(98)00099-0");
    THORNTON_2013: "Thornton et al. 2013",
        "C. Thornton, S. J. Cummins, P. W. Cleary, An investigation of the comparative behaviour of alternative contact force models during inelastic collisions, Powder Technol. 233 (2013) 30–46",
        Some("10.1016/j.powtec.2012.08.012");
    IWASHITA_1998: "Iwashita & Oda 1998",
        "K. Iwashita, M. Oda, Rolling resistance at contacts in simulation of shear band development by DEM, J. Eng. Mech. 124 (1998) 285–292",
        Some("10.1061/(ASCE)0733-9399(1998)124:3(285)");
    JIANG_2005: "Jiang et al. 2005",
        "M. J. Jiang, H.-S. Yu, D. Harris, A novel discrete model for granular material incorporating rolling resistance, Comput. Geotech. 32 (2005) 340–357",
        Some("10.1016/j.compgeo.2005.05.001");
    ZHOU_1999: "Zhou et al. 1999",
        "Y. C. Zhou, B. D. Wright, R. Y. Yang, B. H. Xu, A. B. Yu, Rolling friction in the dynamic simulation of sandpile formation, Physica A 269 (1999) 536–553",
        Some("10.1016/S0378-4371(99)00183-1");
    ANDERSEN_1980: "Andersen 1980",
        "H. C. Andersen, Molecular dynamics simulations at constant pressure and/or temperature, J. Chem. Phys. 72 (1980) 2384–2393",
        Some("10.1063/1.439486");
    PARRINELLO_1981: "Parrinello & Rahman 1981",
        "M. Parrinello, A. Rahman, Polymorphic transitions in single crystals: a new molecular dynamics method, J. Appl. Phys. 52 (1981) 7182–7190",
        Some("10.1063/1.328693");
    AI_2011: "Ai et al. 2011",
        "J. Ai, J.-F. Chen, J. M. Rotter, J. Y. Ooi, Assessment of rolling resistance models in discrete element simulations, Powder Technol. 206 (2011) 269–282",
        Some("10.1016/j.powtec.2010.09.030");
    BATCHELOR_1977: "Batchelor & O'Brien 1977",
        "G. K. Batchelor, R. W. O'Brien, Thermal or electrical conduction through a granular material, Proc. R. Soc. Lond. A 355 (1977) 313–333",
        Some("10.1098/rspa.1977.0100");
    VARGAS_2001: "Vargas & McCarthy 2001",
        "W. L. Vargas, J. J. McCarthy, Heat conduction in granular materials, AIChE J. 47 (2001) 1052–1059",
        Some("10.1002/aic.690470511");
    MARSHALL_2009: "Marshall 2009",
        "J. S. Marshall, Discrete-element modeling of particulate aerosol flows, J. Comput. Phys. 228 (2009) 1541–1561",
        Some("10.1016/j.jcp.2008.10.020");
}
