import { qrSideDefault, qrTextOf, type ImageRequest } from '@gatehouse/contract'
import { fewAtOnce } from '../../kernel/few-at-once.ts'
import { convertImage } from './convert-image.ts'
import { drawQr } from './draw-qr.ts'

export class ImageService {
  readonly #run = fewAtOnce({ atOnce: 2, queueMax: 8 })

  /** The PNG that is asked for. Two are made at once, eight more may wait, the next gets a 429. */
  generate({ base64, width, height, isQrCode }: ImageRequest): Promise<Buffer> {
    return this.#run(() =>
      isQrCode
        ? drawQr(qrTextOf(base64).text, width ?? qrSideDefault, height ?? qrSideDefault)
        : convertImage(base64, { width, height }),
    )
  }
}
