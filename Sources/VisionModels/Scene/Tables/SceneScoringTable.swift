/// The numbers of `SceneScoring`: revision, classes with outputs of their own (leaf) or above such ones, weight of the best
/// half, factors of share, top and size, offset. Made by Training/Scene/fit.py.
let sceneScoringTable = #"""
    1 leaf 0.25 1.19504 -0.01273 0.00000 0.84665
    1 above 0.25 1.22806 -0.04670 -0.15902 1.71595
    2 leaf 0.25 1.43274 -0.13014 0.00000 1.72710
    2 above 0.25 1.57509 -0.18929 -0.38222 3.12094
    """#
