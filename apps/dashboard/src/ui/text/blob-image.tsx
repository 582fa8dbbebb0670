import { useCallback } from 'react'
import classes from './blob-image.module.css'

interface BlobImageProps {
  file: Blob
  alt: string
  /** Modules of a QR code stay sharp when it is shown smaller or larger than it is. */
  isSharp: boolean
  /** Without the chequered background, for images without transparent parts. */
  isPlain?: boolean
}

/** An image from a file. The chequered background shows which parts are transparent. */
export function BlobImage({ file, alt, isSharp, isPlain = false }: BlobImageProps) {
  // The address lasts as long as the image is shown.
  const show = useCallback(
    (element: HTMLImageElement) => {
      const address = URL.createObjectURL(file)
      element.src = address
      return () => URL.revokeObjectURL(address)
    },
    [file],
  )
  return (
    <div className={classes['frame']} data-plain={isPlain}>
      <img ref={show} alt={alt} className={classes['image']} data-sharp={isSharp} />
    </div>
  )
}
