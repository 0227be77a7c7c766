// The store of a person's work in this browser: drafts, and messages that are not sent yet. Everything is encrypted
// (AES-GCM) under a key that no script can export; signing out deletes key and data. If the browser keeps nothing, it
// lasts as long as the page.

const NAME = "desk";
const WHO = "desk:who";

interface Sealed {
  id: string;
  iv: Uint8Array<ArrayBuffer>;
  data: ArrayBuffer;
}

let opened: Promise<IDBDatabase | null> | undefined;
let key: Promise<CryptoKey> | undefined;
const inMemory = new Map<string, unknown>();
/** After signing out nothing is kept any more, also not what a tab that closes would still save. */
let isClosed = false;

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

export function closeVault(): void {
  isClosed = true;
}

function database(): Promise<IDBDatabase | null> {
  opened ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("keys");
        request.result.createObjectStore("items", { keyPath: "id" });
      };
      request.onsuccess = () => {
        const found = request.result;
        // Another tab signs out: let it delete.
        found.onversionchange = () => {
          found.close();
          opened = key = undefined;
        };
        resolve(found);
      };
      request.onerror = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
}

async function vaultKey(from: IDBDatabase): Promise<CryptoKey> {
  key ??= (async () => {
    const made = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    const store = from.transaction("keys", "readwrite").objectStore("keys");
    const found = (await done(store.get("key"))) as CryptoKey | undefined;
    if (found) return found;
    await done(store.put(made, "key"));
    return made;
  })();
  return key;
}

export async function keep(id: string, value: unknown): Promise<void> {
  if (isClosed) return;
  const found = await database();
  if (!found) return void inMemory.set(id, value);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plain = new TextEncoder().encode(JSON.stringify(value));
  const bound = { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(id) };
  const data = await crypto.subtle.encrypt(bound, await vaultKey(found), plain);
  await done(found.transaction("items", "readwrite").objectStore("items").put({ id, iv, data } satisfies Sealed));
}

export async function drop(id: string): Promise<void> {
  inMemory.delete(id);
  if (isClosed) return;
  const found = await database();
  if (found) await done(found.transaction("items", "readwrite").objectStore("items").delete(id));
}

/** Everything whose id begins so. What cannot be decrypted is left out. */
export async function kept<T>(prefix: string): Promise<T[]> {
  const found = await database();
  if (!found) return [...inMemory].filter(([id]) => id.startsWith(prefix)).map(([, value]) => value as T);
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  const sealed = (await done(found.transaction("items").objectStore("items").getAll(range))) as Sealed[];
  const secret = await vaultKey(found);
  const values = sealed.map(async ({ id, iv, data }) => {
    const bound = { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(id) };
    const plain = await crypto.subtle.decrypt(bound, secret, data).catch(() => null);
    return plain && [JSON.parse(new TextDecoder().decode(plain)) as T];
  });
  return (await Promise.all(values)).flatMap((value) => value ?? []);
}

/** Makes this browser's store the person's; what another person left is deleted. */
export async function claimBrowser(email: string): Promise<void> {
  const before = localStorage.getItem(WHO);
  if (before !== null && before !== email) await destroyVault();
  localStorage.setItem(WHO, email);
}

/** Deletes the key, and all that was encrypted under it. */
export async function destroyVault(): Promise<void> {
  inMemory.clear();
  const found = await database();
  if (!found) return;
  const transaction = found.transaction(["keys", "items"], "readwrite");
  transaction.objectStore("keys").clear();
  await done(transaction.objectStore("items").clear());
  found.close();
  opened = key = undefined;
  await new Promise<void>((resolve) => {
    const request = indexedDB.deleteDatabase(NAME);
    request.onsuccess = request.onerror = request.onblocked = () => resolve();
  });
}
