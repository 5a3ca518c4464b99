#include "CVisionNetworks.h"

#define CVN_PATH "../files/animals.onnx"
#define CVN_SYMBOL animals
#include "embedded.h"

#define CVN_PATH "../files/face-landmarks.table"
#define CVN_SYMBOL face_landmarks
#include "embedded.h"

#define CVN_PATH "../files/face-verifier.onnx"
#define CVN_SYMBOL face_verifier
#include "embedded.h"

#define CVN_PATH "../files/people.onnx"
#define CVN_SYMBOL people
#include "embedded.h"

#define CVN_PATH "../files/pose-detection.table"
#define CVN_SYMBOL pose_detection
#include "embedded.h"

#define CVN_PATH "../files/pose-landmarks.table"
#define CVN_SYMBOL pose_landmarks
#include "embedded.h"

#define CVN_PATH "../files/print-1.table"
#define CVN_SYMBOL print_1
#include "embedded.h"

#define CVN_PATH "../files/print-2.table"
#define CVN_SYMBOL print_2
#include "embedded.h"

#define CVN_PATH "../files/print-3.table"
#define CVN_SYMBOL print_3
#include "embedded.h"

#define CVN_PATH "../files/rectangle-proposals.onnx"
#define CVN_SYMBOL rectangle_proposals
#include "embedded.h"

#define CVN_PATH "../files/rectangle-refinement.onnx"
#define CVN_SYMBOL rectangle_refinement
#include "embedded.h"

#define CVN_PATH "../files/rectangle-verifier.onnx"
#define CVN_SYMBOL rectangle_verifier
#include "embedded.h"

#define CVN_PATH "../files/saliency-attention.onnx"
#define CVN_SYMBOL saliency_attention
#include "embedded.h"

#define CVN_PATH "../files/saliency-objectness.onnx"
#define CVN_SYMBOL saliency_objectness
#include "embedded.h"

#define CVN_PATH "../files/scene-bytes.table"
#define CVN_SYMBOL scene_bytes
#include "embedded.h"

#define CVN_PATH "../files/scene-curves.table"
#define CVN_SYMBOL scene_curves
#include "embedded.h"

#define CVN_PATH "../files/scene-scoring.table"
#define CVN_SYMBOL scene_scoring
#include "embedded.h"

#define CVN_PATH "../files/scene-taxonomy.table"
#define CVN_SYMBOL scene_taxonomy
#include "embedded.h"

#define CVN_PATH "../files/text-detection-small.table"
#define CVN_SYMBOL text_detection_small
#include "embedded.h"

#define CVN_PATH "../files/text-detection-tiny.table"
#define CVN_SYMBOL text_detection_tiny
#include "embedded.h"

#define CVN_PATH "../files/text-recognition-small.table"
#define CVN_SYMBOL text_recognition_small
#include "embedded.h"

#define CVN_PATH "../files/text-recognition-tiny.table"
#define CVN_SYMBOL text_recognition_tiny
#include "embedded.h"

#define CVN_PATH "../files/tracker-search.onnx"
#define CVN_SYMBOL tracker_search
#include "embedded.h"

#define CVN_PATH "../files/tracker-template.onnx"
#define CVN_SYMBOL tracker_template
#include "embedded.h"

#define CVN_PATH "../files/tracker-view.onnx"
#define CVN_SYMBOL tracker_view
#include "embedded.h"

static cvn_file (*const files[])(void) = {
    animals_file,
    face_landmarks_file,
    face_verifier_file,
    people_file,
    pose_detection_file,
    pose_landmarks_file,
    print_1_file,
    print_2_file,
    print_3_file,
    rectangle_proposals_file,
    rectangle_refinement_file,
    rectangle_verifier_file,
    saliency_attention_file,
    saliency_objectness_file,
    scene_bytes_file,
    scene_curves_file,
    scene_scoring_file,
    scene_taxonomy_file,
    text_detection_small_file,
    text_detection_tiny_file,
    text_recognition_small_file,
    text_recognition_tiny_file,
    tracker_search_file,
    tracker_template_file,
    tracker_view_file,
};

size_t cvn_file_count(void) { return sizeof(files) / sizeof(files[0]); }

cvn_file cvn_file_at(size_t number) { return files[number](); }
