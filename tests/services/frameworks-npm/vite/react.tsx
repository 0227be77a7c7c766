import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./Chat.js";

function Shop() {
  const [userId, setUserId] = useState<string | null>("ann");
  const signOut = () => fetch("/sign-out", { method: "POST" }).then(() => setUserId(null));
  return (
    <>
      <button onClick={signOut}>Sign out</button>
      <Chat api={import.meta.env.VITE_API} userId={userId} />
    </>
  );
}

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <Shop />
  </StrictMode>,
);
