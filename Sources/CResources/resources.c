// Swift takes some forty seconds to compile these files as literals of arrays, and clang milliseconds.
#include "resources.h"
#include <string.h>

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char Localizable_xcstrings[] = {
#embed "../HTMLPages/Resources/Localizable.xcstrings"
};
static const unsigned char account_mustache[] = {
#embed "../HTMLPages/Resources/account.mustache"
};
static const unsigned char alert_mustache[] = {
#embed "../HTMLPages/Resources/alert.mustache"
};
static const unsigned char controls_js[] = {
#embed "../HTMLPages/Resources/controls.js"
};
static const unsigned char docs_css[] = {
#embed "../HTMLPages/Resources/docs.css"
};
static const unsigned char docs_js[] = {
#embed "../HTMLPages/Resources/docs.js"
};
static const unsigned char docs_mustache[] = {
#embed "../HTMLPages/Resources/docs.mustache"
};
static const unsigned char docs_schema_mustache[] = {
#embed "../HTMLPages/Resources/docs.schema.mustache"
};
static const unsigned char email_mustache[] = {
#embed "../HTMLPages/Resources/email.mustache"
};
static const unsigned char factors_mustache[] = {
#embed "../HTMLPages/Resources/factors.mustache"
};
static const unsigned char forgot_mustache[] = {
#embed "../HTMLPages/Resources/forgot.mustache"
};
static const unsigned char form_control_mustache[] = {
#embed "../HTMLPages/Resources/form.control.mustache"
};
static const unsigned char form_mustache[] = {
#embed "../HTMLPages/Resources/form.mustache"
};
static const unsigned char form_row_mustache[] = {
#embed "../HTMLPages/Resources/form.row.mustache"
};
static const unsigned char form_state_mustache[] = {
#embed "../HTMLPages/Resources/form.state.mustache"
};
static const unsigned char form_value_mustache[] = {
#embed "../HTMLPages/Resources/form.value.mustache"
};
static const unsigned char home_mustache[] = {
#embed "../HTMLPages/Resources/home.mustache"
};
static const unsigned char index_mustache[] = {
#embed "../HTMLPages/Resources/index.mustache"
};
static const unsigned char inspector_css[] = {
#embed "../HTMLPages/Resources/inspector.css"
};
static const unsigned char inspector_js[] = {
#embed "../HTMLPages/Resources/inspector.js"
};
static const unsigned char inspector_mustache[] = {
#embed "../HTMLPages/Resources/inspector.mustache"
};
static const unsigned char lists_js[] = {
#embed "../HTMLPages/Resources/lists.js"
};
static const unsigned char login_mustache[] = {
#embed "../HTMLPages/Resources/login.mustache"
};
static const unsigned char mail_mustache[] = {
#embed "../HTMLPages/Resources/mail.mustache"
};
static const unsigned char mailbox_mustache[] = {
#embed "../HTMLPages/Resources/mailbox.mustache"
};
static const unsigned char logo_svg[] = {
#embed "../HTMLPages/Resources/logo.svg"
};
static const unsigned char names_js[] = {
#embed "../HTMLPages/Resources/names.js"
};
static const unsigned char page_mustache[] = {
#embed "../HTMLPages/Resources/page.mustache"
};
static const unsigned char paragraph_mustache[] = {
#embed "../HTMLPages/Resources/paragraph.mustache"
};
static const unsigned char part_mustache[] = {
#embed "../HTMLPages/Resources/part.mustache"
};
static const unsigned char passkeys_js[] = {
#embed "../HTMLPages/Resources/passkeys.js"
};
static const unsigned char problem_mustache[] = {
#embed "../HTMLPages/Resources/problem.mustache"
};
static const unsigned char product_mustache[] = {
#embed "../HTMLPages/Resources/product.mustache"
};
static const unsigned char products_mustache[] = {
#embed "../HTMLPages/Resources/products.mustache"
};
static const unsigned char register_mustache[] = {
#embed "../HTMLPages/Resources/register.mustache"
};
static const unsigned char reset_mustache[] = {
#embed "../HTMLPages/Resources/reset.mustache"
};
static const unsigned char secondFactor_mustache[] = {
#embed "../HTMLPages/Resources/secondFactor.mustache"
};
static const unsigned char signup_mustache[] = {
#embed "../HTMLPages/Resources/signup.mustache"
};
static const unsigned char typed_js[] = {
#embed "../HTMLPages/Resources/typed.js"
};
static const unsigned char understudy_css[] = {
#embed "../HTMLPages/Resources/understudy.css"
};
static const unsigned char understudy_js[] = {
#embed "../HTMLPages/Resources/understudy.js"
};
static const unsigned char verify_mustache[] = {
#embed "../HTMLPages/Resources/verify.mustache"
};
static const unsigned char document_yaml[] = {
#embed "../Understudy/OpenAPI/document.yaml"
};
static const unsigned char common_passwords_txt[] = {
#embed "../Accounts/Passwords/common-passwords.txt"
};

static const struct CResource CResources_all[] = {
    {"HTMLPages/Resources/Localizable.xcstrings", Localizable_xcstrings, sizeof Localizable_xcstrings},
    {"HTMLPages/Resources/account.mustache", account_mustache, sizeof account_mustache},
    {"HTMLPages/Resources/alert.mustache", alert_mustache, sizeof alert_mustache},
    {"HTMLPages/Resources/controls.js", controls_js, sizeof controls_js},
    {"HTMLPages/Resources/docs.css", docs_css, sizeof docs_css},
    {"HTMLPages/Resources/docs.js", docs_js, sizeof docs_js},
    {"HTMLPages/Resources/docs.mustache", docs_mustache, sizeof docs_mustache},
    {"HTMLPages/Resources/docs.schema.mustache", docs_schema_mustache, sizeof docs_schema_mustache},
    {"HTMLPages/Resources/email.mustache", email_mustache, sizeof email_mustache},
    {"HTMLPages/Resources/factors.mustache", factors_mustache, sizeof factors_mustache},
    {"HTMLPages/Resources/forgot.mustache", forgot_mustache, sizeof forgot_mustache},
    {"HTMLPages/Resources/form.control.mustache", form_control_mustache, sizeof form_control_mustache},
    {"HTMLPages/Resources/form.mustache", form_mustache, sizeof form_mustache},
    {"HTMLPages/Resources/form.row.mustache", form_row_mustache, sizeof form_row_mustache},
    {"HTMLPages/Resources/form.state.mustache", form_state_mustache, sizeof form_state_mustache},
    {"HTMLPages/Resources/form.value.mustache", form_value_mustache, sizeof form_value_mustache},
    {"HTMLPages/Resources/home.mustache", home_mustache, sizeof home_mustache},
    {"HTMLPages/Resources/index.mustache", index_mustache, sizeof index_mustache},
    {"HTMLPages/Resources/inspector.css", inspector_css, sizeof inspector_css},
    {"HTMLPages/Resources/inspector.js", inspector_js, sizeof inspector_js},
    {"HTMLPages/Resources/inspector.mustache", inspector_mustache, sizeof inspector_mustache},
    {"HTMLPages/Resources/lists.js", lists_js, sizeof lists_js},
    {"HTMLPages/Resources/login.mustache", login_mustache, sizeof login_mustache},
    {"HTMLPages/Resources/mail.mustache", mail_mustache, sizeof mail_mustache},
    {"HTMLPages/Resources/mailbox.mustache", mailbox_mustache, sizeof mailbox_mustache},
    {"HTMLPages/Resources/logo.svg", logo_svg, sizeof logo_svg},
    {"HTMLPages/Resources/names.js", names_js, sizeof names_js},
    {"HTMLPages/Resources/page.mustache", page_mustache, sizeof page_mustache},
    {"HTMLPages/Resources/paragraph.mustache", paragraph_mustache, sizeof paragraph_mustache},
    {"HTMLPages/Resources/part.mustache", part_mustache, sizeof part_mustache},
    {"HTMLPages/Resources/passkeys.js", passkeys_js, sizeof passkeys_js},
    {"HTMLPages/Resources/problem.mustache", problem_mustache, sizeof problem_mustache},
    {"HTMLPages/Resources/product.mustache", product_mustache, sizeof product_mustache},
    {"HTMLPages/Resources/products.mustache", products_mustache, sizeof products_mustache},
    {"HTMLPages/Resources/register.mustache", register_mustache, sizeof register_mustache},
    {"HTMLPages/Resources/reset.mustache", reset_mustache, sizeof reset_mustache},
    {"HTMLPages/Resources/secondFactor.mustache", secondFactor_mustache, sizeof secondFactor_mustache},
    {"HTMLPages/Resources/signup.mustache", signup_mustache, sizeof signup_mustache},
    {"HTMLPages/Resources/typed.js", typed_js, sizeof typed_js},
    {"HTMLPages/Resources/understudy.css", understudy_css, sizeof understudy_css},
    {"HTMLPages/Resources/understudy.js", understudy_js, sizeof understudy_js},
    {"HTMLPages/Resources/verify.mustache", verify_mustache, sizeof verify_mustache},
    {"Understudy/OpenAPI/document.yaml", document_yaml, sizeof document_yaml},
    {"Accounts/Passwords/common-passwords.txt", common_passwords_txt, sizeof common_passwords_txt},
};

struct CResource CResources_find(const char *path) {
    for (unsigned long i = 0; i < sizeof CResources_all / sizeof *CResources_all; i++) {
        if (strcmp(CResources_all[i].path, path) == 0) { return CResources_all[i]; }
    }
    return (struct CResource){path, 0, 0};
}
