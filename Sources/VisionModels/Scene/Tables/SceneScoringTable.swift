/// The numbers of `SceneScoring`: revision, classes with outputs of their own (leaf) or above such ones, weight of the best
/// half, factors of share, top and size, offset. Made by Training/Scene/fit.py.
let sceneScoringTable = #"""
    1 leaf 0.25 1.19477 -0.01218 0.00000 0.84628
    1 above 0.25 1.29996 -0.02263 -0.14661 1.82199
    2 leaf 0.25 1.43276 -0.13012 0.00000 1.72717
    2 above 0.25 1.67446 -0.16597 -0.37916 3.30901
    """#
