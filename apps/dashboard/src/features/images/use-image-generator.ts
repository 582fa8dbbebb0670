import { useForm } from '@mantine/form'
import { useRef, useState } from 'react'
import { CallError, messageOf } from '../../lib/calls/call-error.ts'
import { firstMessages, useFocusFirstError } from '../../lib/forms/field-errors.ts'
import { formatBytes } from '../../lib/format/format-bytes.ts'
import { notifyError, notifySuccess } from '../../lib/page/notify.tsx'
import { useGenerateImage, type ImageFormValues, type MadeImage } from './image-queries.ts'
import { imagesMessages } from './images-messages.ts'

const initialValues: ImageFormValues = { base64: '', width: '', height: '', isQrCode: false }

/** The form, and the image that it was last turned into. */
export function useImageGenerator() {
  const form = useForm<ImageFormValues>({ mode: 'controlled', initialValues })
  const generation = useGenerateImage()
  const [image, setImage] = useState<MadeImage>()
  const element = useRef<HTMLFormElement>(null)
  const focusFirstError = useFocusFirstError(element)

  async function handleGenerate(values: ImageFormValues) {
    if (generation.isPending) return
    form.clearErrors()
    try {
      const made = await generation.mutateAsync(values)
      setImage(made)
      notifySuccess(imagesMessages.generated, `The image was made: ${describe(made)}.`)
    } catch (error) {
      // An earlier image would look like the result of this.
      setImage(undefined)
      refuse(error)
    }
  }

  function refuse(error: unknown) {
    if (!(error instanceof CallError) || error.status !== 422)
      return notifyError(imagesMessages.failed, messageOf(error))
    form.setErrors(firstMessages(error.errors))
    focusFirstError()
    return notifyError(imagesMessages.invalid)
  }

  return {
    form,
    image,
    isWorking: generation.isPending,
    attachForm: (form: HTMLFormElement | null) => {
      element.current = form
    },
    handleSubmit: form.onSubmit((values) => void handleGenerate(values)),
  }
}

export type ImageGenerator = ReturnType<typeof useImageGenerator>

/** `300 × 300 pixels, 1.2 KB`. */
export function describe({ file, size }: MadeImage): string {
  const bytes = formatBytes(file.size, 'decimal')
  return size ? `${size.width} × ${size.height} pixels, ${bytes}` : bytes
}
