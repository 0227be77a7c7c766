// Whether this person takes customers now. Away, nobody is promised a person because of them.

import { api } from "../api/client";
import { signIn } from "../signin/session";
import { tellFailure } from "./failures";

export async function setAvailability(isAvailable: boolean): Promise<void> {
  const { desk } = signIn.get();
  if (!desk) return;
  try {
    const availability = isAvailable ? "available" : "away";
    const member = await api.updateMember({ id: desk.member.memberId, body: { availability } });
    const now = signIn.get();
    if (now.desk) signIn.set({ ...now, desk: { ...now.desk, member } });
  } catch (error) {
    tellFailure(error);
  }
}
