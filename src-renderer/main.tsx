/** Entry point of the window's page: applies the theme and renders the root component. */

import './theme/base.css';
import './ui/ui.css';
import './outputs/outputs.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { showTheme } from './theme/theme.ts';

showTheme();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
