import { z } from 'zod'
import { isBase64, withoutDataUrl } from '../kernel/base64.ts'
import { acrossFields } from '../kernel/across-fields.ts'
import { flag, optionalInteger } from '../kernel/fields.ts'
import { defineRoute } from '../kernel/route.ts'

const imageSideMax = 4096
/** Of the text that is sent: ten mebibytes. */
const imageTextMaxLength = 10 * 1024 * 1024

interface ImageFields {
  base64: string
  isQrCode: boolean
}

/**
 * What to make an image of. With `isQrCode` any text goes, without it the Base64 of a PNG, JPEG,
 * WebP or GIF. A blank side is the image's own, or 300 for a QR code.
 */
const imageRequest = z
  .object({
    base64: z
      .union([z.string(), z.null()], { error: 'The base64 must be text.' })
      .optional()
      .transform((value) => (value ?? '').trim())
      .refine((value) => value !== '', { error: 'The base64 field is required.' })
      .refine((value) => value.length <= imageTextMaxLength, {
        error: 'The base64 may not be longer than 10 MiB.',
      }),
    width: optionalInteger('width', 1, imageSideMax),
    height: optionalInteger('height', 1, imageSideMax),
    isQrCode: flag,
  })
  .superRefine(
    ...acrossFields<ImageFields>(({ base64 = '', isQrCode }, context) => {
      if (isQrCode !== false || isBase64(withoutDataUrl(base64))) return
      context.addIssue({
        code: 'custom',
        path: ['base64'],
        message: 'This is not valid Base64. Check Is Qr to make a QR code of any text.',
      })
    }),
  )
export type ImageRequest = z.output<typeof imageRequest>

export const generateImage = defineRoute({
  method: 'POST',
  path: '/api/post/image',
  access: 'image.generate',
  tag: 'Images',
  summary: 'Make a PNG: a QR code of any text, or an image fitted into a size',
  // The longest text, with line breaks and slashes escaped as some clients do.
  bodyLimitBytes: 12 * 1024 * 1024,
  body: imageRequest,
  isFile: true,
  answers: 'image/png',
})
