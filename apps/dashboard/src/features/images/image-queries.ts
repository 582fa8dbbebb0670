import { qrTextOf, type QrText } from '@gatehouse/contract/qr-text'
import { callFile } from '../../lib/calls/call-bodies.ts'
import { useMutation } from '../../lib/calls/use-mutation.ts'

/** What was typed; the server checks it (spec: validation). */
export interface ImageFormValues extends Record<string, unknown> {
  base64: string
  width: string
  height: string
  isQrCode: boolean
}

export interface MadeImage {
  file: Blob
  size: PngSize | undefined
  /** What its QR code says, if it is one. */
  qr: QrText | undefined
}

export function useGenerateImage() {
  return useMutation({
    mutationFn: async (values: ImageFormValues): Promise<MadeImage> => {
      const file = await callFile('POST /api/post/image', 'image/png', { body: values })
      const qr = values.isQrCode ? qrTextOf(values.base64) : undefined
      return { file, size: await pngSize(file), qr }
    },
  })
}

interface PngSize {
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
