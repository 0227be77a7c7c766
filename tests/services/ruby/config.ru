# The smallest application around the files of `examples/rails`.
require "action_controller/railtie"

class Shop < Rails::Application
  config.root = __dir__
  config.eager_load = true
  config.secret_key_base = "none"
  config.hosts.clear
  config.logger = Logger.new($stderr)
end

Shop.initialize!
run Shop
