// The series a formula reads, with their weights.
import type { InputView } from '../../../src/http/console/wire/formulas.ts'
import { Breaking } from '../../components/breaking.tsx'
import { TextLink } from '../../components/links.tsx'
import { ScrollX } from '../../components/scroll-x.tsx'
import { alignOnPoint } from '../../components/words.ts'
import { useWorkspace } from '../../session.ts'
import classes from './formula.module.css'

export function Inputs({ inputs }: { readonly inputs: readonly InputView[] }) {
  const { slug: ws } = useWorkspace()
  if (inputs.length === 0) return <p className="soft">It reads no series.</p>
  const isWeighted = inputs.some(({ weight }) => weight !== null)
  const weights = alignOnPoint(inputs.map(({ weight }) => weight))
  return (
    <ScrollX label="Series it follows">
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col" className="on-wide">
              Input
            </th>
            <th scope="col">Series</th>
            <th scope="col" className="on-wide">
              Code
            </th>
            {isWeighted && (
              <th scope="col" className="right">
                Weight
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {inputs.map(({ input, name, reference, seriesId }, i) => (
            <tr key={`${input} ${reference}`}>
              <td className="mono on-wide">
                <Breaking text={input} />
              </td>
              <td>
                {seriesId === null ? (
                  (name ?? <span className="soft">not in this workspace</span>)
                ) : (
                  <TextLink to="/w/$ws/series/$id" params={{ ws, id: seriesId }}>
                    {name ?? reference}
                  </TextLink>
                )}
                <span className={`${classes.folded} mono on-narrow`}>
                  {input}, {reference}
                </span>
              </td>
              <td className="mono on-wide">
                <Breaking text={reference} />
              </td>
              {isWeighted && <td className="right">{weights[i]}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollX>
  )
}
