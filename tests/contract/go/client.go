// The first steps of an integration, by the client that was generated from the OpenAPI document: a session, a message
// that is answered from the wiki, an entry under a path with slashes, an error that is read, and an event that is
// received.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"time"

	"contract/support"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Panic(err)
	}
	return value
}

func check(holds bool, told any) {
	if !holds {
		log.Panicf("%+v", told)
	}
}

func main() {
	log.SetFlags(log.Lshortfile)
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SUPPORT_API_KEY"))
		return nil
	}
	client := must(support.NewClientWithResponses(os.Getenv("SUPPORT_API_URL"), support.WithRequestEditorFn(authorize)))

	events := make(chan support.Event, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		var event support.Event
		must(0, json.Unmarshal(must(io.ReadAll(request.Body)), &event))
		events <- event
		response.WriteHeader(http.StatusNoContent)
	}))
	secret := "a secret of the go client"
	registered := must(client.CreateWebhookWithResponse(ctx, nil, support.NewWebhook{
		Url:    receiver.URL + "/go",
		Events: []support.SubscribedKind{support.SubscribedKindMessageCreated},
		Secret: &secret,
	}))
	check(registered.JSON201 != nil, string(registered.Body))

	path := "clients/in/go"
	made := must(client.CreateEntryWithResponse(ctx, nil, support.NewEntry{
		Path: path, Title: "Refunds", Content: "A refund for go takes nine days.",
	}))
	check(made.JSON201 != nil && made.JSON201.Path == path, string(made.Body))
	entry := must(client.GetEntryWithResponse(ctx, path, nil))
	check(entry.JSON200 != nil && entry.JSON200.Version == made.JSON201.Version, string(entry.Body))

	visitor := "ann"
	session := must(client.CreateSessionWithResponse(ctx, nil, support.NewSession{ExternalUserId: &visitor}))
	check(session.JSON201 != nil && *session.JSON201.ExternalUserId == visitor, string(session.Body))
	id := session.JSON201.SessionId
	read := must(client.GetSessionWithResponse(ctx, id, nil))
	check(read.JSON200 != nil && read.JSON200.CreatedAt.Equal(session.JSON201.CreatedAt), string(read.Body))

	question := support.NewMessage{Content: "How many days does a refund for go take?"}
	reply := must(client.SendMessageWithResponse(ctx, id, nil, question))
	check(reply.JSON200 != nil && strings.Contains(reply.JSON200.Answer, "nine days"), string(reply.Body))
	check(must(reply.JSON200.Disposition.AsDisposition()) == support.DispositionAnswered, string(reply.Body))
	check(reply.JSON200.Sources[0].Path == path, string(reply.Body))

	refused := must(client.SendMessageWithResponse(ctx, id, nil, support.NewMessage{}))
	check(refused.JSON400 != nil && len(refused.JSON400.Details) == 1, string(refused.Body))
	detail := refused.JSON400.Details[0]
	check(*detail.Field == "content" && must(detail.Code.AsDetailCode()) == support.DetailCodeTOOSHORT, string(refused.Body))

	deadline := time.After(time.Minute)
	for isAnswered := false; !isAnswered; {
		select {
		case event := <-events:
			told := must(event.AsMessageCreatedEvent()).Data
			if must(told.Role.AsTurnRole()) == support.TurnRoleAi && told.SessionId == id {
				check(told.MessageId == reply.JSON200.MessageId && told.Content == reply.JSON200.Answer, told)
				isAnswered = true
			}
		case <-deadline:
			log.Panic("no event came")
		}
	}
	deliveries := must(client.ListDeliveriesWithResponse(ctx, registered.JSON201.WebhookId, nil))
	check(deliveries.JSON200 != nil && len(deliveries.JSON200.Items) > 0, string(deliveries.Body))
	delivery := must(client.GetDeliveryWithResponse(ctx, registered.JSON201.WebhookId, deliveries.JSON200.Items[0].DeliveryId, nil))
	check(delivery.JSON200 != nil, string(delivery.Body))
	sent := must(must(delivery.JSON200.Payload.AsEvent()).AsMessageCreatedEvent())
	check(sent.Data.SessionId == id, string(delivery.Body))

	// A value that a later version adds is read, too.
	var later support.Session
	changed := strings.Replace(string(read.Body), `"ownership":"ai"`, `"ownership":"of_a_later_version"`, 1)
	must(0, json.Unmarshal([]byte(changed), &later))
	check(must(later.Ownership.AsSessionOwnership1()) == "of_a_later_version", changed)

	fmt.Println("the Go client works")
}
