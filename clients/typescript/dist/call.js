// What a call takes and gives: `generated.ts` says it of each operation in these types.
export {};
