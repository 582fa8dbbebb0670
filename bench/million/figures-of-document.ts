import { createHash } from 'node:crypto'
import { dice } from '../runs/planned-run.ts'

// What invoices look like: who buys, what is bought, and for how much. The same number always gives the same.

const latinFirst =
  'Noor,Rawabi,Jazeera,Qasr,Manara,Sahara,Delta,Nile,Cedar,Atlas,Petra,Zamzam,Hilal,Falcon,Oasis,Marjan,Safa,Yasmin,Badr,Crescent,Red Sea,Gulf,Levant,Orient,Horizon,Summit,Pioneer,Al Amal,Al Watan,Al Fajr,Al Rayan,Al Baraka,Müller,Société Générale,Café Crème,Peña'.split(
    ',',
  )
const latinSecond =
  'Trading,Contracting,Foods,Pharma,Logistics,Textiles,Motors,Electronics,Construction,Catering,Steel,Plastics,Paper,Furniture,Cosmetics,Energy,Telecom,Water,Printing,Agriculture'.split(
    ',',
  )
const latinForm = 'Est.,LLC,Co.,Group,SARL,Holding'.split(',')
const arabicFirst =
  'النور,الروابي,الجزيرة,القصر,المنارة,الصحراء,الدلتا,النيل,الأرز,الأطلس,البتراء,زمزم,الهلال,الصقر,الواحة,المرجان,الصفا,الياسمين,البدر,الخليج'.split(
    ',',
  )
const arabicSecond =
  'للتجارة,للمقاولات,للأغذية,للأدوية,للخدمات اللوجستية,للمنسوجات,للسيارات,للإلكترونيات,للبناء,للتموين'.split(
    ',',
  )
const arabicForm = 'مؤسسة,شركة,مجموعة'.split(',')
const cities = 'Riyadh,Jeddah,Dammam,Cairo,Alexandria,Amman,Irbid,Aqaba,Abha,Giza'.split(',')
const goods =
  'A4 paper,Printer toner,Office chair,Diesel 50 l,Rice 25 kg,Olive oil,Copper cable,Cement bag,Steel rod 12 mm,LED panel,Router,Water filter,Hydraulic pump,Air conditioner,Desk lamp,Wheat flour,Paracetamol 500 mg,Surgical gloves,Cotton roll,Car battery,خدمات استشارية,صيانة دورية,أجهزة تكييف,مواد بناء'.split(
    ',',
  )

const pick = <T>(list: readonly T[], number: number, salt: number): T =>
  list[dice(number, salt, list.length)] as T

/** So many customers; a few buy much, many a little. */
const customersMax = 40_000

interface Customer {
  id: string
  name: string
  vat: string
  city: string
}

function customerOf(number: number): Customer {
  const isArabic = dice(number, 20, 100) < 45
  const latin = `${pick(latinFirst, number, 21)} ${pick(latinSecond, number, 22)} ${pick(latinForm, number, 23)}`
  const arabic = `${pick(arabicForm, number, 24)} ${pick(arabicFirst, number, 25)} ${pick(arabicSecond, number, 26)}`
  return {
    id: `C-${10_000 + number}`,
    name: isArabic ? arabic : latin,
    vat: `3${String(10_000_000_000 + number * 7_919).padStart(13, '0')}3`,
    city: pick(cities, number, 27),
  }
}

interface InvoiceLine {
  sku: string
  name: string
  quantity: number
  /** In cents. */
  price: number
}

export interface Figures {
  customer: Customer
  lines: InvoiceLine[]
  /** In cents. */
  net: number
  tax: number
}

/** What the document with this number says. */
export function figuresOf(number: number): Figures {
  const customer = customerOf(
    Math.min(dice(number, 28, customersMax), dice(number, 29, customersMax)),
  )
  const lines = Array.from({ length: 1 + dice(number, 30, 5) }, (_, at) => {
    const salt = 31 + at * 4
    return {
      sku: `SKU-${1000 + dice(number, salt, 9000)}`,
      name: pick(goods, number, salt + 1),
      quantity: 1 + dice(number, salt + 2, 20),
      price: 100 + dice(number, salt + 3, 500_000),
    }
  })
  const net = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
  return { customer, lines, net, tax: Math.round(net * 0.15) }
}

export const money = (cents: number): string => (cents / 100).toFixed(2)

/** The number by which an authority knows a document. */
export function authorityReference(number: number): string {
  const hash = createHash('md5').update(`authority ${number}`).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20)}`
}
