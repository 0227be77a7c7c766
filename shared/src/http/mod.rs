//! The edge: extractors that are the access rules, JSON rejections, errors, CORS, request ids, the route list.

pub mod route_list;
