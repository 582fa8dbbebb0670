import { drawQr } from './src/features/images/draw-qr.ts'
import { sharp } from './src/features/images/image-library.ts'
import { lengths, textOf } from './src/features/images/testing/qr-texts.ts'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import jsqr from 'jsqr'
import { randomBytes } from 'node:crypto'
let n=0, bad=0, badj=0, refused=0
for (let size=100; size<=1000; size+=13) for (let k=0;k<8;k++) {
  const l = 1+Math.floor(Math.random()*2953); const t=randomBytes(l).toString('base64').slice(0,l)
  let png; try { png = await drawQr(t,size,size+(k%3)*7) } catch { refused++; continue }
  n++
  writeFileSync('/tmp/img/q.png', png)
  let r=''; try { r=execFileSync('zbarimg',['--quiet','--nodbus','--raw','--oneshot','-Sbinary','/tmp/img/q.png'],{encoding:'utf8',stdio:['ignore','pipe','ignore']}) } catch {}
  const {data,info}=await sharp(png).ensureAlpha().toColourspace('srgb').raw().toBuffer({resolveWithObject:true})
  const j=jsqr.default(new Uint8ClampedArray(data),info.width,info.height)?.data
  if (r!==t||j!==t) { console.log(size,size+(k%3)*7,l,'zbar',r===t,'jsqr',j===t); if(r!==t)bad++; if (j!==t) badj++ }
}
console.log({n,refused,bad,badj})
