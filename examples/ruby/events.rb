require "standardwebhooks"

WEBHOOK = StandardWebhooks::Webhook.new(ENV.fetch("WEBHOOK_SECRET"))

# A Rack application: `run EVENTS` in config.ru, or `post "/events", to: EVENTS` in the routes of Rails.
EVENTS = lambda do |env|
  headers = %w[id timestamp signature].to_h { |name| ["webhook-#{name}", env["HTTP_WEBHOOK_#{name.upcase}"]] }
  event = WEBHOOK.verify(env["rack.input"].read, headers)
  puts "#{event["type"]} #{event["data"]}"
  [204, {}, []]
rescue StandardError # The library raises NoMethodError for some malformed headers.
  [400, {}, []]
end
