import { Chat } from "../Chat";

export default function Page() {
  return <Chat api="/api/v1" userId={null} />;
}
