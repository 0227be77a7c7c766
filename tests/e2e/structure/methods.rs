//! The methods that a module defines, and those of `self` that it calls, each with the type.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;

use super::circles::is_test;

/// Pairs of the names of a type and a method.
#[derive(Default)]
pub(super) struct Methods {
    pub(super) defined: BTreeSet<(String, String)>,
    pub(super) called: BTreeSet<(String, String)>,
    /// The type whose methods are being read.
    of: Option<String>,
}

impl Methods {
    fn call(&mut self, method: &syn::Ident) {
        self.called.extend(self.of.clone().map(|of| (of, method.to_string())));
    }

    /// `self.method(…)` among the tokens of a macro's call.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        for window in tokens.windows(4) {
            if let [TokenTree::Ident(of), TokenTree::Punct(dot), TokenTree::Ident(method), TokenTree::Group(_)] = window
                && of == "self"
                && dot.as_char() == '.'
            {
                self.call(method);
            }
        }
        for token in tokens {
            if let TokenTree::Group(group) = token {
                self.tokens(group.stream());
            }
        }
    }
}

impl<'ast> Visit<'ast> for Methods {
    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let name = match block.self_ty.as_ref() {
            syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        let outer = std::mem::replace(&mut self.of, name);
        syn::visit::visit_item_impl(self, block);
        self.of = outer;
    }

    fn visit_impl_item_fn(&mut self, method: &'ast syn::ImplItemFn) {
        if !is_test(&method.attrs) {
            self.defined.extend(self.of.clone().map(|of| (of, method.sig.ident.to_string())));
            syn::visit::visit_impl_item_fn(self, method);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        if matches!(call.receiver.as_ref(), syn::Expr::Path(path) if path.path.is_ident("self")) {
            self.call(&call.method);
        }
        syn::visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<&syn::Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
        if let [of, method] = names[..]
            && of == "Self"
        {
            self.call(method);
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.tokens(called.tokens.clone());
    }
}
