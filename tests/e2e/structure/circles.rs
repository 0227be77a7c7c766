//! No circles: neither files of a crate nor TypeScript files import each other in a loop. Of the product, `support`, the
//! files of one thing may; things may not.
//!
//! Rust is parsed. A file's arrows lead to the files that define what it names, through every import and re-export on
//! the way. A re-export alone is no arrow: it is a table of contents. An import of all of a module is refused, because
//! only the compiler knows its names. A call of a method of `self` is an arrow if one file alone defines that method of
//! that type; the targets of other method calls only the compiler knows. Tests are left out. Of TypeScript, the relative
//! imports are read, also those of types and those at run time.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::replace;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proc_macro2::{Ident, TokenStream, TokenTree};
use regex::Regex;
use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprMethodCall, ImplItemFn, Item, ItemImpl, ItemMod, ItemUse, Macro, Type, UseTree, VisRestricted,
    Visibility,
};

use super::crates;
use super::sources::shipped;
use crate::support::written_files::files;
use crate::template::document::root;

/// Names from a crate's root on, or a path as it is written.
type Names = Vec<String>;

/// The name of a type and that of a method.
type Method = (String, String);

/// Each file with the files that it names something of.
type Arrows<'f> = BTreeMap<&'f Path, BTreeSet<&'f Path>>;

/// The modules of a crate, with the names that they define and use.
#[derive(Default)]
pub(crate) struct Crate {
    /// Each module's file.
    files: BTreeMap<Names, PathBuf>,
    /// Imported and re-exported names with what they stand for.
    bound: BTreeMap<Names, Names>,
    /// Each module with what it names.
    named: BTreeSet<(Names, Names)>,
    methods: BTreeMap<Method, BTreeSet<PathBuf>>,
    called: BTreeSet<(PathBuf, Method)>,
}

impl Crate {
    /// Reads a crate from its root file on.
    pub(crate) fn read(file: &Path) -> Self {
        let mut read = Self::default();
        let mut open = vec![(file.to_owned(), file.parent().unwrap().to_owned(), Names::new())];
        while let Some((file, folder, module)) = open.pop() {
            let source = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let parsed = syn::parse_file(&source).unwrap();
            read.files.insert(module.clone(), file.clone());
            Reader { read: &mut read, open: &mut open, file, folder, module, of: None }.visit_file(&parsed);
        }
        read
    }

    /// The file that defines what `names` mean from the crate's root on, through `depth` imports at most: a name of
    /// another crate may be imported under itself. Names of other crates are as if the naming file defined them.
    fn file_of(&self, names: &[String], depth: usize) -> Option<&Path> {
        let Some(end) = (0..names.len()).find(|end| !self.files.contains_key(&names[..=*end])) else {
            return self.files.get(names).map(PathBuf::as_path);
        };
        match self.bound.get(&names[..=end]) {
            Some(target) => self.file_of(&[target, &names[end + 1..]].concat(), depth.checked_sub(1)?),
            None => self.files.get(&names[..end]).map(PathBuf::as_path),
        }
    }

    /// Each file with the paths that it names of another one, and that one.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&Path, &Path, &[String])> {
        let named = self.named.iter().map(|(module, names)| (&*self.files[module], self.file_of(names, 16), names));
        named.filter_map(|(from, to, names)| Some((from, to.filter(|to| *to != from)?, names.as_slice())))
    }

    /// Each file with the files that it names something of.
    pub(crate) fn arrows<'c>(&'c self) -> Arrows<'c> {
        let mut arrows: Arrows<'c> = self.files.values().map(|file| (file.as_path(), BTreeSet::new())).collect();
        // A name alone that is a module's is that of something else: a variable.
        let is_variable = |module: &Names, names: &Names| {
            names.split_last().is_some_and(|(_, above)| above == module) && self.files.contains_key(names)
        };
        let named = self.named.iter().filter(|(module, names)| !is_variable(module, names));
        let named = named.map(|(module, names)| (&self.files[module], self.file_of(names, 16)));
        let defining = |files: &'c BTreeSet<PathBuf>| files.first().filter(|_| files.len() == 1).map(PathBuf::as_path);
        let called = self.called.iter().map(|(file, method)| (file, self.methods.get(method).and_then(defining)));
        for (from, to) in named.chain(called) {
            arrows.entry(from).or_default().extend(to.filter(|to| to != from));
        }
        arrows
    }
}

/// Reads one file of a crate.
struct Reader<'r> {
    read: &'r mut Crate,
    /// The files that are still to be read, each with the folder of its modules and its module.
    open: &'r mut Vec<(PathBuf, PathBuf, Names)>,
    file: PathBuf,
    folder: PathBuf,
    module: Names,
    /// The type whose methods are being read.
    of: Option<String>,
}

impl Reader<'_> {
    /// A path as it is written, from the crate's root on.
    fn absolute(&self, path: &[String]) -> Names {
        let ups = path.iter().skip_while(|name| *name == "self").take_while(|name| *name == "super").count();
        let rest = path.iter().skip_while(|name| ["crate", "self", "super"].contains(&name.as_str()));
        let above = if path[0] == "crate" { 0 } else { self.module.len().saturating_sub(ups) };
        self.module[..above].iter().chain(rest).cloned().collect()
    }

    fn name(&mut self, path: &[String]) {
        match path {
            [of, method] if of == "Self" => self.call(method),
            _ => drop(self.read.named.insert((self.module.clone(), self.absolute(path)))),
        }
    }

    fn call(&mut self, method: &str) {
        let method = self.of.clone().map(|of| (self.file.clone(), (of, method.to_owned())));
        self.read.called.extend(method);
    }

    fn import(&mut self, tree: &UseTree, path: &[String], is_re_export: bool) {
        let below = |name: &Ident| if name == "self" { path.to_vec() } else { [path, &[name.to_string()]].concat() };
        let (alias, target) = match tree {
            UseTree::Path(inner) => return self.import(&inner.tree, &below(&inner.ident), is_re_export),
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path, is_re_export));
            }
            UseTree::Glob(_) => (path.last().cloned(), path.to_vec()),
            UseTree::Name(name) => (below(&name.ident).pop(), below(&name.ident)),
            UseTree::Rename(name) => (Some(name.rename.to_string()), below(&name.ident)),
        };
        if matches!(tree, UseTree::Glob(_)) {
            let is_enum = alias.iter().all(|name| name.starts_with(char::is_uppercase));
            assert!(is_enum, "{} imports all of {target:?}: name what it uses", self.file.display());
        }
        let name = [self.module.as_slice(), alias.as_slice()].concat();
        self.read.bound.insert(name, self.absolute(&target));
        if !is_re_export {
            self.name(&target);
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, child: &'ast ItemMod) {
        let name = child.ident.to_string();
        let module = [self.module.as_slice(), std::slice::from_ref(&name)].concat();
        let (folder, file) = (self.folder.join(&name), self.folder.join(format!("{name}.rs")));
        if child.content.is_none() {
            let file = if file.exists() { file } else { folder.join("mod.rs") };
            return self.open.push((file, folder, module));
        }
        self.read.files.insert(module.clone(), self.file.clone());
        let outer = (replace(&mut self.folder, folder), replace(&mut self.module, module));
        visit::visit_item_mod(self, child);
        (self.folder, self.module) = outer;
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        self.import(&import.tree, &[], !matches!(import.vis, Visibility::Inherited));
    }

    fn visit_item_impl(&mut self, block: &'ast ItemImpl) {
        let name = match block.self_ty.as_ref() {
            Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        let outer = replace(&mut self.of, name);
        visit::visit_item_impl(self, block);
        self.of = outer;
    }

    fn visit_impl_item_fn(&mut self, method: &'ast ImplItemFn) {
        if is_test(&method.attrs) {
            return;
        }
        if let Some(of) = self.of.clone() {
            let defining = self.read.methods.entry((of, method.sig.ident.to_string())).or_default();
            defining.insert(self.file.clone());
        }
        visit::visit_impl_item_fn(self, method);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if matches!(call.receiver.as_ref(), Expr::Path(path) if path.path.is_ident("self")) {
            self.call(&call.method.to_string());
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.name(&path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Names>());
        visit::visit_path(self, path);
    }

    /// `pub(super)` names nothing.
    fn visit_vis_restricted(&mut self, _: &'ast VisRestricted) {}

    /// Of a macro's call the paths of several names, and the calls of methods of `self`: a single name may be anything
    /// there. What the definition of a macro names counts where it is used.
    fn visit_macro(&mut self, called: &'ast Macro) {
        static PATH: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\w+(?: : : \w+)+").unwrap());
        static CALL: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\bself \. (\w+) \(").unwrap());
        if called.path.is_ident("macro_rules") {
            return;
        }
        let tokens = without_literals(called.tokens.clone());
        PATH.find_iter(&tokens)
            .for_each(|path| self.name(&path.as_str().split(" : : ").map(str::to_owned).collect::<Names>()));
        CALL.captures_iter(&tokens).for_each(|call| self.call(&call[1]));
    }
}

/// Tokens with a blank between any two.
fn without_literals(tokens: TokenStream) -> String {
    let text = |token| match token {
        TokenTree::Group(group) => format!("( {} )", without_literals(group.stream())),
        TokenTree::Literal(_) => String::new(),
        other => other.to_string(),
    };
    tokens.into_iter().map(text).collect::<Vec<_>>().join(" ")
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    let of_test = |attribute: &Attribute| attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"));
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && of_test(attribute))
}

/// The sets of files that lead to each other.
fn circles<'f>(arrows: &Arrows<'f>) -> BTreeSet<BTreeSet<&'f Path>> {
    let reached_from = |file: &'f Path| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
        while let Some(next) = open.pop() {
            open.extend(arrows[next].iter().copied().filter(|file| reached.insert(*file)));
        }
        reached
    };
    let reached: Arrows<'f> = arrows.keys().map(|file| (*file, reached_from(file))).collect();
    let circle = |file: &&'f Path| -> BTreeSet<&'f Path> {
        reached[file].iter().copied().filter(|other| reached[other].contains(file)).collect()
    };
    arrows.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

/// Every shipped crate, read from its root file on.
fn shipped_crates() -> impl Iterator<Item = Crate> {
    crates().into_values().filter(|(folder, _)| !folder.starts_with("tests/")).map(|(folder, _)| {
        let src = root().join(folder.trim_end_matches("Cargo.toml")).join("src");
        Crate::read(&if src.join("lib.rs").exists() { src.join("lib.rs") } else { src.join("main.rs") })
    })
}

/// A file's path from the workspace's folder.
fn name(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

/// The TypeScript files under a folder, with their texts.
fn scripts(folder: &Path) -> BTreeMap<PathBuf, String> {
    let is_script = |path: &Path| path.extension().is_some_and(|kind| kind == "ts" || kind == "tsx");
    let scripts = files(folder).into_iter().filter(|(path, _)| is_script(path));
    scripts.map(|(path, text)| (path, String::from_utf8(text).unwrap())).collect()
}

/// Each TypeScript file with those of `files` that it imports.
fn imports(files: &BTreeMap<PathBuf, String>) -> Arrows<'_> {
    static IMPORT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"\b(?:from|import)\s*\(?\s*"(\.[^"]+)""#).unwrap());
    let mut arrows = Arrows::new();
    for (file, text) in files {
        let imported = arrows.entry(file.as_path()).or_default();
        for import in IMPORT.captures_iter(text) {
            let mut path = file.parent().unwrap().to_owned();
            for part in import[1].split('/') {
                match part {
                    "." => {}
                    ".." => drop(path.pop()),
                    name => path.push(name),
                }
            }
            let named = ["ts", "tsx"].map(|kind| PathBuf::from(format!("{}.{kind}", path.display())));
            imported
                .extend(named.iter().filter_map(|named| files.get_key_value(named)).map(|(path, _)| path.as_path()));
        }
    }
    arrows
}

/// Each circle as the arrows inside it.
fn arrows_of_circles(arrows: &Arrows<'_>) -> Vec<String> {
    let mut all = Vec::new();
    for circle in circles(arrows) {
        let inside = circle.iter().flat_map(|from| arrows[from].intersection(&circle).map(move |to| (from, to)));
        let inside: Vec<String> = inside.map(|(from, to)| format!("{} -> {}", name(from), name(to))).collect();
        all.push(inside.join("\n"));
    }
    all
}

#[test]
fn every_shipped_file_belongs_to_a_crate() {
    let compiled: BTreeSet<String> = shipped_crates()
        .flat_map(|read| read.files.into_values().map(|file| name(&file)).collect::<Vec<_>>())
        .collect();
    let paths =
        shipped().map(|source| source.path).filter(|path| path.contains("/src/") && !path.ends_with("/main.rs"));
    let unused: Vec<String> = paths.filter(|path| !compiled.contains(path)).collect();
    assert!(unused.is_empty(), "no module declares these files: {unused:#?}");
}

/// The arrows of a crate; the files of a thing, a folder of `support`, count as one.
fn by_thing<'f>(arrows: &Arrows<'f>) -> Arrows<'f> {
    let is_product = |folder: &Path| folder.ends_with("shared/support/src");
    let thing = |file: &'f Path| file.ancestors().find(|at| at.parent().is_some_and(is_product)).unwrap_or(file);
    let mut things = Arrows::new();
    for (from, to) in arrows {
        let from = thing(from);
        things.entry(from).or_default().extend(to.iter().map(|to| thing(to)).filter(|to| *to != from));
    }
    things
}

#[test]
fn files_import_each_other_in_no_circle() {
    let pages = std::fs::read_dir(root().join("web")).unwrap();
    let scripts: BTreeMap<_, _> = pages.flat_map(|page| scripts(&page.unwrap().path().join("src"))).collect();
    assert!(scripts.len() > 100, "only {} TypeScript files were found", scripts.len());
    let mut circles = arrows_of_circles(&imports(&scripts));
    circles.extend(shipped_crates().flat_map(|read| arrows_of_circles(&by_thing(&read.arrows()))));
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n\n"));
}

/// A folder with these files.
fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// The files of the circles, from their folder.
fn names(arrows: &Arrows<'_>, folder: &Path) -> Vec<String> {
    let name = |file: &&Path| file.strip_prefix(folder).unwrap().to_str().unwrap().to_owned();
    circles(arrows).iter().flatten().map(name).collect()
}

/// The files of the circles of a crate with these files.
fn circle_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = written(files);
    let read = Crate::read(&folder.path().join("lib.rs"));
    names(&read.arrows(), folder.path())
}

#[test]
fn a_circle_is_found_however_its_files_are_imported() {
    for (import, named) in [
        ("use super::a as other;", "other::A"),
        ("use super::super::c::{a as other};", "other::A"),
        ("use crate::c::a::{self as other};", "other::A"),
        ("use crate::c::a::A as Other;", "Other"),
        ("use crate::A;", "A"),
        ("use crate::c::other::{A};", "A"),
        ("", "super::a::A"),
    ] {
        for body in [format!("{import} pub struct B({named});"), format!("pub fn f() {{ {import} let b: {named}; }}")] {
            let circle = circle_of(&[
                ("lib.rs", "mod c; pub use c::{A};"),
                ("c/mod.rs", "mod a; mod b; pub use a::{A, self as other};"),
                ("c/a.rs", "use super::b; pub struct A; fn f() { b::f() }"),
                ("c/b.rs", &body),
            ]);
            assert_eq!(circle, ["c/a.rs", "c/b.rs"], "{body}");
        }
    }
}

#[test]
fn a_circle_of_typescript_is_found_however_its_files_are_imported() {
    for import in [
        "import { b } from \"./c/b\";",
        "import {\n  b,\n} from \"./c/b\";",
        "import type { B } from \"./c/b\";",
        "export { b } from \"./c/b\";",
        "import \"./c/b\";",
        "const b = () => import(\"./c/b\");",
    ] {
        let folder = written(&[
            ("a.ts", import),
            ("c/b.tsx", "import \"./b.css\";\nimport { c } from \"react\";\nimport { a } from \"../a\";"),
            ("c.ts", "import { a } from \"./a\";\nimport { b } from \"./c/b\";"),
        ]);
        let scripts = scripts(folder.path());
        assert_eq!(names(&imports(&scripts), folder.path()), ["a.ts", "c/b.tsx"], "{import}");
    }
}

#[test]
#[should_panic(expected = "name what it uses")]
fn an_import_of_all_of_a_module_is_refused() {
    circle_of(&[("lib.rs", "mod a; mod b;"), ("a.rs", "use super::b::*;"), ("b.rs", "use super::a;")]);
}

#[test]
fn a_circle_is_found_through_re_exports_and_tests_are_none() {
    let circle = circle_of(&[
        ("lib.rs", "mod a; mod b; mod c; pub use b::B; #[cfg(test)] mod tests;"),
        ("a.rs", "use crate::B; pub struct A(B); #[cfg(test)] fn test() { crate::c::f() }"),
        ("b/mod.rs", "mod inner; pub use inner::B;"),
        ("b/inner.rs", "pub struct B; impl B { fn f() { m!(1, super::super::a::A) } }"),
        ("c.rs", "use super::{b, a}; pub fn f(_: a::A) {}"),
    ]);
    assert_eq!(circle, ["a.rs", "b/inner.rs"]);
}

#[test]
fn a_circle_is_found_through_methods_of_one_type() {
    let circle = circle_of(&[
        ("lib.rs", "mod a; mod b; mod c; pub struct S; impl S { pub fn own(&self) {} } pub struct Other;"),
        ("a.rs", "use super::S; impl S { pub fn one(&self) { self.own(); j!(x, self.two()) } }"),
        ("b.rs", "use super::S; impl S { pub fn two(&self) { (|| Self::one(self))(); self.three.run() } }"),
        // Methods of another type.
        ("c.rs", "use super::Other; impl Other { fn f(&self) { self.one() } fn run(&self) {} fn three(&self) {} }"),
    ]);
    assert_eq!(circle, ["a.rs", "b.rs"]);
}
