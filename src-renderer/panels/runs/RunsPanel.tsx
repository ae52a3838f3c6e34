import './runs.css';
import { AutoRunSection } from './AutoRunSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { QueueSection } from './QueueSection.tsx';

/** The Runs panel: the queue, the cost of the notebook's runs, and the settings of automatic runs. */
export function RunsPanel() {
  return (
    <div className="runs" data-own-arrows>
      <div className="runs-side">
        <AutoRunSection />
        <QueueSection />
      </div>
      <ProfileSection />
    </div>
  );
}
