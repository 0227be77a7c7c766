// A function that makes the calls of a message by the usual means of Node: the SDK for DynamoDB, fetch for the index.
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";

const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`;
const table = process.env.TABLE_NAME;
const database = new DynamoDBClient({ endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB });
const key = (name) => ({ pk: { S: name }, sk: { S: name } });

async function handle() {
  await database.send(new GetItemCommand({ TableName: table, Key: key("a") }));
  await database.send(new GetItemCommand({ TableName: table, Key: key("b") }));
  const values = { ":p": { S: "c" } };
  await database.send(new QueryCommand({
    TableName: table, KeyConditionExpression: "pk = :p", ExpressionAttributeValues: values,
  }));
  const search = { method: "POST", headers: { "content-type": "application/json" }, body: '{"scope":"s"}' };
  await (await fetch(`${process.env.SEARCH_ENDPOINT}/wiki/_search`, search)).json();
  await database.send(new PutItemCommand({ TableName: table, Item: { ...key("d"), text: { S: "message" } } }));
  return { statusCode: 201, body: "{}" };
}

for (;;) {
  const next = await fetch(`${api}/next`);
  await next.text();
  const answer = JSON.stringify(await handle());
  await fetch(`${api}/${next.headers.get("lambda-runtime-aws-request-id")}/response`, { method: "POST", body: answer });
}
