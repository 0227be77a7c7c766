// Pictures for documents: screenshots as small files with few colours.

import { crc32, deflateSync } from "node:zlib";

/** A screenshot with the colours that it has most of. `studio` is an empty page that does the work. */
export async function small(studio, png, colours = 64) {
  return encoded(await reduced(studio, png, colours));
}

/** A screenshot as one byte a pixel, and the palette that the bytes are of. */
function reduced(page, png, colours) {
  const reduce = async ([source, limit]) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
    const { width, height } = image;
    const brush = new OffscreenCanvas(width, height).getContext("2d");
    brush.drawImage(image, 0, 0);
    const { data } = brush.getImageData(0, 0, width, height);
    const counts = new Map();
    const colourAt = (at) => (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
    for (let at = 0; at < data.length; at += 4) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1);
    const palette = [...counts].sort((one, other) => other[1] - one[1]).slice(0, limit).map(([colour]) => colour);
    const parts = (colour) => [colour >> 16, (colour >> 8) & 255, colour & 255];
    const distance = (one, other) => parts(one).reduce((sum, part, at) => sum + (part - parts(other)[at]) ** 2, 0);
    const nearest = new Map();
    for (const colour of counts.keys()) {
      const best = palette.reduce((best, one) => (distance(one, colour) < distance(best, colour) ? one : best));
      nearest.set(colour, palette.indexOf(best));
    }
    const pixels = Uint8Array.from({ length: width * height }, (_, at) => nearest.get(colourAt(4 * at)));
    // As text: a long list takes seconds on its way out of the page.
    const reader = new FileReader();
    await new Promise((done) => {
      reader.onload = done;
      reader.readAsDataURL(new Blob([pixels]));
    });
    return { width, height, palette: palette.flatMap(parts), pixels: reader.result.split(",")[1] };
  };
  return page.evaluate(reduce, [png.toString("base64"), colours]);
}

function encoded({ width, height, palette, pixels }) {
  const chunk = (name, data) => {
    const named = Buffer.concat([Buffer.from(name), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits a pixel, which are places in the palette.
  head.set([8, 3, 0, 0, 0], 8);
  const all = Buffer.from(pixels, "base64");
  const rows = Array.from({ length: height }, (_, row) => [Buffer.alloc(1), all.subarray(row * width, (row + 1) * width)]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("PLTE", Buffer.from(palette)),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
