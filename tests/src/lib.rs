//! Empty: `e2e` holds the tests over HTTP, `lambda` the stand-in of the Lambda runtime API.
