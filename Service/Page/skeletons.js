// The limbs of bodies and hands: joints that are connected, and a colour for each chain.

const LEFT = "#28aaff";
const RIGHT = "#ff821e";
const MIDDLE = "#5adc5a";

/** The person's left side is blue, the right side orange. */
export const BODY = [
  [MIDDLE, "root", "neck", "nose"],
  [LEFT, "neck", "leftShoulder", "leftElbow", "leftWrist"],
  [RIGHT, "neck", "rightShoulder", "rightElbow", "rightWrist"],
  [LEFT, "root", "leftHip", "leftKnee", "leftAnkle"],
  [RIGHT, "root", "rightHip", "rightKnee", "rightAnkle"],
  [LEFT, "nose", "leftEye", "leftEar"],
  [RIGHT, "nose", "rightEye", "rightEar"],
];

/** A colour for each finger. */
export const HAND = [
  ["#ff5a5a", "wrist", "thumbCMC", "thumbMP", "thumbIP", "thumbTip"],
  ["#ffbe28", "wrist", "indexMCP", "indexPIP", "indexDIP", "indexTip"],
  ["#5adc5a", "wrist", "middleMCP", "middlePIP", "middleDIP", "middleTip"],
  ["#28aaff", "wrist", "ringMCP", "ringPIP", "ringDIP", "ringTip"],
  ["#c86eff", "wrist", "littleMCP", "littlePIP", "littleDIP", "littleTip"],
];
