// The list of the page's files: an array and a row of the table for each. A test compares it with the folder.

#include "CServicePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char api_js[] = {
#embed "../../Page/api.js"
};
static const unsigned char camera_js[] = {
#embed "../../Page/camera.js"
};
static const unsigned char choices_js[] = {
#embed "../../Page/choices.js"
};
static const unsigned char drawing_js[] = {
#embed "../../Page/drawing.js"
};
static const unsigned char icon_svg[] = {
#embed "../../Page/icon.svg"
};
static const unsigned char index_html[] = {
#embed "../../Page/index.html"
};
static const unsigned char items_js[] = {
#embed "../../Page/items.js"
};
static const unsigned char main_js[] = {
#embed "../../Page/main.js"
};
static const unsigned char panel_js[] = {
#embed "../../Page/panel.js"
};
static const unsigned char requests_js[] = {
#embed "../../Page/requests.js"
};
static const unsigned char skeletons_js[] = {
#embed "../../Page/skeletons.js"
};
static const unsigned char stage_js[] = {
#embed "../../Page/stage.js"
};
static const unsigned char style_css[] = {
#embed "../../Page/style.css"
};

#define CSP_FILE(name, bytes) {name, bytes, sizeof bytes}

static const csp_file files[] = {
    CSP_FILE("api.js", api_js),
    CSP_FILE("camera.js", camera_js),
    CSP_FILE("choices.js", choices_js),
    CSP_FILE("drawing.js", drawing_js),
    CSP_FILE("icon.svg", icon_svg),
    CSP_FILE("index.html", index_html),
    CSP_FILE("items.js", items_js),
    CSP_FILE("main.js", main_js),
    CSP_FILE("panel.js", panel_js),
    CSP_FILE("requests.js", requests_js),
    CSP_FILE("skeletons.js", skeletons_js),
    CSP_FILE("stage.js", stage_js),
    CSP_FILE("style.css", style_css),
};

size_t csp_file_count(void) { return sizeof files / sizeof files[0]; }

csp_file csp_file_at(size_t number) { return files[number]; }
