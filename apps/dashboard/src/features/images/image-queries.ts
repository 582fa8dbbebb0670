import { useMutation } from '@tanstack/react-query'
import { qrTextOf, type QrText } from '@gatehouse/contract/qr-text'
import { callFile } from '../../lib/call.ts'
import { pngSize, type PngSize } from './png-size.ts'

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
