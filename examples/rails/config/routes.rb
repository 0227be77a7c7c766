Rails.application.routes.draw do
  post "/support-chat/token", to: "support_chat#token"
end
