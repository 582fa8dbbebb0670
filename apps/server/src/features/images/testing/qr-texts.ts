import { readFileSync } from 'node:fs'

interface TaxQrCase {
  id: string
  base64: string
  /** The smallest version that holds it at level M. */
  vM: number
}

/** Texts of real tax QRs; their sources are named beside the file. */
export const taxQrCases = JSON.parse(
  readFileSync(
    new URL('../../../../../../packages/contract/fixtures/tax-qr-cases.json', import.meta.url),
    'utf8',
  ),
) as TaxQrCase[]

export const foreignTexts = [
  'فاتورة ضريبية مبسطة',
  'مؤسسة النخيل للتجارة – الرياض، ١٢٣٤٥',
  '🧾 1.00 € 👨‍👩‍👧 🇸🇦',
  '請求書と領収書',
  'Zürich é ß',
  'a\nb\tc\u0001',
  '0123456789',
  'ALPHANUMERIC $%*+-./:',
]

/** Base64-like text of that many bytes. */
export function textOf(length: number): string {
  let text = ''
  for (let at = 0; text.length < length; at++)
    text += String.fromCharCode(65 + ((at * 17 + (at >> 4)) % 26))
  return text
}

/** Lengths around which the version or the level changes, up to what a QR code holds at most. */
export const lengths = [1, 14, 15, 76, 271, 504, 520, 1000, 1500, 2331, 2332, 2953]
