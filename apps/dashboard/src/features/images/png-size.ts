export interface PngSize {
  width: number
  height: number
}

const signature = 0x89504e47
const sizeAt = 16

/** Width and height as a PNG's header states them (PNG §11.2.1); undefined for anything else. */
export async function pngSize(file: Blob): Promise<PngSize | undefined> {
  const header = new DataView(await file.slice(0, sizeAt + 8).arrayBuffer())
  if (header.byteLength < sizeAt + 8 || header.getUint32(0) !== signature) return undefined
  return { width: header.getUint32(sizeAt), height: header.getUint32(sizeAt + 4) }
}
