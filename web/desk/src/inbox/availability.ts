// Whether this person takes customers now. Away, nobody is promised a person because of them.

import { api, call } from "../api/client";
import { signIn } from "../signin/session";
import { tellFailure } from "./failures";

export async function setAvailability(isAvailable: boolean): Promise<void> {
  const { desk } = signIn.get();
  if (!desk) return;
  const path = { id: desk.member.memberId };
  try {
    const availability = isAvailable ? "available" : "away";
    const member = await call(api.PATCH("/members/{id}", { params: { path }, body: { availability } }));
    const now = signIn.get();
    if (now.desk) signIn.set({ ...now, desk: { ...now.desk, member } });
  } catch (error) {
    tellFailure(error);
  }
}
