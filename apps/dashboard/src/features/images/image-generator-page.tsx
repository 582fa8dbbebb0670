import { SimpleGrid, Stack } from '@mantine/core'
import { useDeferredValue } from 'react'
import { qrTextOf } from '@gatehouse/contract/qr-text'
import { Page } from '../../ui/page.tsx'
import { ImageForm } from './image-form.tsx'
import { ImageResult } from './image-result.tsx'
import { QrContent } from './qr-content.tsx'
import { useImageGenerator } from './use-image-generator.ts'

/** Makes an image or a QR code of Base64 text (spec: image-generator). */
export function ImageGeneratorPage() {
  const generator = useImageGenerator()
  const { form, image } = generator
  // A long text may take a moment to look through, which typing doesn't wait for.
  const typed = useDeferredValue(form.values.base64)
  const typedQr = form.values.isQrCode && typed.trim() !== '' ? qrTextOf(typed) : undefined
  const qr = typedQr ?? image?.qr
  return (
    <Page
      title="Image generator"
      subtitle="Make a QR code of a text, or a PNG of an image that is given as Base64."
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <ImageForm generator={generator} />
        <Stack gap="md">
          <ImageResult image={image} />
          {qr && <QrContent qr={qr} isAhead={image !== undefined && image.qr?.text !== qr.text} />}
        </Stack>
      </SimpleGrid>
    </Page>
  )
}
