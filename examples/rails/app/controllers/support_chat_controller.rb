require "net/http"

class SupportChatController < ActionController::API
  # Requests of each known visitor, and of the strangers and the known visitors of each address, in a minute.
  COUNTS = ActiveSupport::Cache::MemoryStore.new(expires_in: 2.minutes)

  def token
    key = ENV.fetch("SUPPORT_API_KEY")
    host = request.get_header("HTTP_HOST")
    # Browsers name the origin of every POST.
    return head :forbidden unless ["https://#{host}", "http://#{host}"].include?(request.get_header("HTTP_ORIGIN"))
    # A signed-in user: the id of your session. Everybody else: a cookie that no script reads and nobody can guess.
    found = /\A([0-9a-f-]{36})(?:\.([0-9a-f]{64}))?\z/.match(request.cookies["chat_visitor"].to_s.scrub)
    visitor = found ? found[1] : SecureRandom.uuid
    signature = OpenSSL::HMAC.hexdigest("SHA256", key, visitor)
    known = found && ActiveSupport::SecurityUtils.secure_compare(found[2].to_s, signature)
    if known ? over?(visitor, 20) || over?("visitors of #{address}", 200) : over?(address, 20)
      response.set_header("Retry-After", "60")
      return head :too_many_requests
    end
    answer = ask("web_#{visitor}", key)
    raise "the API answered #{answer.code}" if answer.code.to_i >= 500
    # Behind a proxy that ends TLS, the cookies of Rails are not set if they are secure.
    response.set_cookie("chat_visitor", value: "#{visitor}.#{signature}", httponly: true, secure: true, same_site: :lax,
      path: "/", max_age: 1.year.to_i)
    response.set_header("Cache-Control", "no-store")
    response.set_header("Retry-After", answer["Retry-After"]) if answer["Retry-After"]
    render body: answer.body, status: answer.code.to_i, content_type: "application/json"
  rescue StandardError => error
    logger&.error("no chat token: #{error}")
    head :bad_gateway
  end

  private

  # Each proxy adds an address on the right. What stands before those is the visitor's claim.
  def address
    addresses = request.get_header("HTTP_X_FORWARDED_FOR").to_s.scrub.split(",").reject(&:empty?)
    addresses << request.get_header("REMOTE_ADDR").to_s
    at = addresses[[0, addresses.size - 1 - Integer(ENV.fetch("PROXY_HOPS", "1"))].max].strip
    # IPv6 counts by network, and no port does.
    at[/\A\[?(?:::ffff:)?((?:\d{1,3}\.){3}\d{1,3}|\h{1,4}(?::\h{1,4}){0,3})/i, 1]
  end

  def over?(name, limit)
    name = "#{Time.now.to_i / 60} #{name}"
    COUNTS.fetch(name) { 0 }
    COUNTS.increment(name) > limit
  end

  def ask(id, key)
    uri = URI("#{ENV.fetch("SUPPORT_API_URL")}/auth/widget-token")
    headers = { "Authorization" => "Bearer #{key}", "Content-Type" => "application/json" }
    Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https", open_timeout: 30, read_timeout: 30) do |http|
      http.post(uri.path, { externalUserId: id }.to_json, headers)
    end
  end
end
