package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type event struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

func events(response http.ResponseWriter, request *http.Request) {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		panic(err)
	}
	var told event
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
	if err != nil || webhook.Verify(body, request.Header) != nil || json.Unmarshal(body, &told) != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	log.Printf("%s %s", told.Type, told.Data)
	response.WriteHeader(http.StatusNoContent)
}
