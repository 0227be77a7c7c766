//! No circles: files of a crate do not import each other in a loop.
//!
//! The sources are parsed. A file's arrows lead to the files that define what it names, through every re-export on the
//! way. A re-export alone is no arrow: it is a table of contents. A call of a method of `self` is an arrow where one
//! file alone defines that method of that type; the targets of other method calls only the compiler knows. Tests are
//! left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Attribute, Item, ItemUse, UseTree};

use super::crates;
use super::methods::Methods;
use super::sources::shipped;
use crate::template::document::root;

/// A path of modules from the crate's root.
type Module = Vec<String>;

/// One module: its file, and what its names mean.
#[derive(Default)]
struct Names {
    file: PathBuf,
    children: BTreeSet<String>,
    defined: BTreeSet<String>,
    /// Imported and re-exported names with the paths they stand for, as written.
    bound: BTreeMap<String, Module>,
    globs: Vec<Module>,
    /// Paths that the module names, as written.
    named: BTreeSet<Module>,
    methods: Methods,
}

/// The modules of a crate.
#[derive(Default)]
pub(crate) struct Crate(BTreeMap<Module, Names>);

impl Crate {
    /// Reads a crate from its root file on.
    pub(crate) fn read(file: &Path) -> Self {
        let mut read = Self::default();
        let mut open = vec![(file.to_owned(), file.parent().unwrap().to_owned(), Module::new())];
        while let Some((file, folder, module)) = open.pop() {
            let source = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            let items = syn::parse_file(&source).unwrap().items;
            open.extend(read.add(&file, &folder, &module, items));
        }
        read
    }

    /// Adds a module, and those that are written inside it; the files of the others, each with its folder.
    fn add(
        &mut self,
        file: &Path,
        folder: &Path,
        module: &Module,
        items: Vec<Item>,
    ) -> Vec<(PathBuf, PathBuf, Module)> {
        let (mut names, mut files) = (Names { file: file.to_owned(), ..Names::default() }, Vec::new());
        for item in items.into_iter().filter(|item| !is_test(attributes(item))) {
            match &item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let below = [module.as_slice(), std::slice::from_ref(&name)].concat();
                    names.children.insert(name.clone());
                    let (one, many) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
                    match child.content.clone() {
                        Some((_, items)) => files.extend(self.add(file, &folder.join(&name), &below, items)),
                        None => files.push((if one.exists() { one } else { many }, folder.join(&name), below)),
                    }
                }
                Item::Use(import) => names.bind(import),
                // What a macro names counts where it is used.
                Item::Macro(definition) if definition.mac.path.is_ident("macro_rules") => {}
                _ => names.define(&item),
            }
        }
        self.0.insert(module.clone(), names);
        files
    }

    /// The file that defines what `path` means in `module`; none where that is not in this crate.
    fn file_of(&self, module: &Module, path: &[String], depth: usize) -> Option<&Path> {
        let (first, rest) = path.split_first()?;
        let parent = || module.split_last().map(|(_, parent)| parent.to_vec());
        match first.as_str() {
            "crate" => self.inside(&Module::new(), rest, depth),
            "self" => self.inside(module, rest, depth),
            "super" => self.file_of(&parent()?, &[&["self".to_owned()], rest].concat(), depth),
            _ => self.inside(module, path, depth),
        }
    }

    fn inside(&self, module: &Module, path: &[String], depth: usize) -> Option<&Path> {
        let names = self.0.get(module)?;
        let Some((first, rest)) = path.split_first() else { return Some(&names.file) };
        // Two modules may import everything of each other.
        let depth = depth.checked_sub(1)?;
        if first == "super" {
            return self.file_of(module, path, depth);
        }
        if names.children.contains(first) {
            return self.inside(&[module.as_slice(), std::slice::from_ref(first)].concat(), rest, depth);
        }
        if let Some(target) = names.bound.get(first) {
            return self.file_of(module, &[target.as_slice(), rest].concat(), depth);
        }
        if names.defined.contains(first) {
            return Some(&names.file);
        }
        names.globs.iter().find_map(|glob| self.file_of(module, &[glob.as_slice(), path].concat(), depth))
    }

    /// The file that defines a method of a type; none where no file or more than one does.
    fn file_of_method(&self, method: &(String, String)) -> Option<&Path> {
        let defining = self.0.values().filter(|names| names.methods.defined.contains(method));
        let files: BTreeSet<&Path> = defining.map(|names| names.file.as_path()).collect();
        files.first().copied().filter(|_| files.len() == 1)
    }

    /// Each file with the files that it names something of.
    pub(crate) fn arrows(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut arrows: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for (module, names) in &self.0 {
            let from = arrows.entry(&names.file).or_default();
            // A name alone that is a module's is that of something else: a variable.
            let is_variable = |path: &&Module| matches!(path.as_slice(), [name] if names.children.contains(name));
            let named = names.named.iter().filter(|path| !is_variable(path));
            let named = named.filter_map(|path| self.file_of(module, path, 64));
            let called = names.methods.called.iter().filter_map(|method| self.file_of_method(method));
            from.extend(named.chain(called).filter(|file| *file != names.file));
        }
        arrows
    }
}

impl Names {
    fn bind(&mut self, import: &ItemUse) {
        let is_re_export = !matches!(import.vis, syn::Visibility::Inherited);
        let mut open = vec![(Module::new(), &import.tree)];
        while let Some((mut path, tree)) = open.pop() {
            let (name, target) = match tree {
                UseTree::Path(inner) => {
                    path.push(inner.ident.to_string());
                    open.push((path, &inner.tree));
                    continue;
                }
                UseTree::Group(group) => {
                    open.extend(group.items.iter().map(|tree| (path.clone(), tree)));
                    continue;
                }
                UseTree::Glob(_) => {
                    self.globs.push(path);
                    continue;
                }
                UseTree::Name(name) if name.ident == "self" => (path.last().cloned().unwrap_or_default(), path),
                UseTree::Name(name) => (name.ident.to_string(), [path, vec![name.ident.to_string()]].concat()),
                UseTree::Rename(name) if name.ident == "self" => (name.rename.to_string(), path),
                UseTree::Rename(name) => (name.rename.to_string(), [path, vec![name.ident.to_string()]].concat()),
            };
            // `use text::Language` in a crate that has a module `text`, too, is about the other crate: it has the name.
            if target.first() != Some(&name) || target.len() == 1 {
                self.bound.insert(name, target.clone());
            }
            if !is_re_export {
                self.named.insert(target);
            }
        }
    }

    fn define(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            _ => None,
        };
        self.defined.extend(name.map(ToString::to_string));
        Paths(&mut self.named).visit_item(item);
        self.methods.visit_item(item);
    }
}

/// Gathers the paths of shipped code.
struct Paths<'n>(&'n mut BTreeSet<Module>);

impl<'ast> Visit<'ast> for Paths<'_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        syn::visit::visit_path(self, path);
    }

    /// `pub(super)` names nothing.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.tokens(called.tokens.clone());
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Fn(item) => item.attrs.as_slice(),
            _ => &[],
        };
        if !is_test(attributes) {
            syn::visit::visit_impl_item(self, item);
        }
    }
}

impl Paths<'_> {
    /// Paths of several names among the tokens of a macro's call; a single name may be anything there.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut path = Module::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) if colons == 2 => path.push(name.to_string()),
                TokenTree::Ident(name) => self.ends(std::mem::replace(&mut path, vec![name.to_string()])),
                TokenTree::Punct(mark) if mark.as_char() == ':' => {
                    colons += 1;
                    continue;
                }
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => self.ends(std::mem::take(&mut path)),
            }
            colons = 0;
        }
        self.ends(path);
    }

    fn ends(&mut self, path: Module) {
        if path.len() > 1 {
            self.0.insert(path);
        }
    }
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
fn circles<'f>(arrows: &BTreeMap<&'f Path, BTreeSet<&'f Path>>) -> BTreeSet<BTreeSet<&'f Path>> {
    let reached_from = |file: &'f Path| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![file]);
        while let Some(next) = open.pop() {
            open.extend(arrows[next].iter().copied().filter(|file| reached.insert(*file)));
        }
        reached
    };
    let reached: BTreeMap<&Path, BTreeSet<&Path>> = arrows.keys().map(|file| (*file, reached_from(file))).collect();
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

/// The arrows from a file under `from` to one under `to`.
fn between<'f>(arrows: &BTreeMap<&'f Path, BTreeSet<&'f Path>>, from: &Path, to: &Path) -> Vec<(&'f Path, &'f Path)> {
    let leaving = arrows.iter().filter(|(file, _)| file.starts_with(from));
    let all = leaving.flat_map(|(file, reached)| reached.iter().map(move |other| (*file, *other)));
    all.filter(|(_, other)| other.starts_with(to)).collect()
}

/// A file's path from the workspace's folder.
fn name(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

/// Every circle of every shipped crate, as the arrows inside it.
fn all_circles() -> Vec<String> {
    let mut all = Vec::new();
    for read in shipped_crates() {
        let arrows = read.arrows();
        for circle in circles(&arrows) {
            let inside = circle.iter().flat_map(|from| arrows[from].intersection(&circle).map(move |to| (from, to)));
            let inside: Vec<String> = inside.map(|(from, to)| format!("{} -> {}", name(from), name(to))).collect();
            all.push(inside.join("\n"));
        }
    }
    all
}

#[test]
fn every_shipped_file_belongs_to_a_crate() {
    let compiled: BTreeSet<String> = shipped_crates()
        .flat_map(|read| read.0.into_values().map(|names| name(&names.file)).collect::<Vec<_>>())
        .collect();
    let paths =
        shipped().map(|source| source.path).filter(|path| path.contains("/src/") && !path.ends_with("/main.rs"));
    let unused: Vec<String> = paths.filter(|path| !compiled.contains(path)).collect();
    assert!(unused.is_empty(), "no module declares these files: {unused:#?}");
}

#[test]
fn files_import_each_other_in_no_circle() {
    let circles = all_circles();
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n\n"));
}

#[test]
fn store_and_search_do_not_know_each_other() {
    let src = root().join("shared/aws/src");
    let read = Crate::read(&src.join("lib.rs"));
    let arrows = read.arrows();
    assert!(
        between(&arrows, &src.join("store"), &src.join("store")).len() > 50,
        "the arrows of the store are not found"
    );
    for (from, to) in [("store", "search"), ("search", "store")] {
        assert_eq!(between(&arrows, &src.join(from), &src.join(to)), [], "{from} uses {to}");
    }
}

/// The files of the circles of a crate with these files.
fn circle_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let read = Crate::read(&folder.path().join("lib.rs"));
    let found = circles(&read.arrows());
    let name = |file: &&Path| file.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned();
    found.iter().flatten().map(name).collect()
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
