"""Which cell finds which object, and the loss.

Of the cells near an object's middle those with the cheapest score and overlap find it (SimOTA); scores learn the
overlap of the box (varifocal loss), boxes by generalised overlap.

needs: torch
"""
import torch
import torch.nn.functional as F

from network import STRIDE

NEAR = 2.0  # cells from the middle of an object to those that may find it


def areas(boxes):
    return (boxes[..., 2] - boxes[..., 0]).clamp(min=0) * (boxes[..., 3] - boxes[..., 1]).clamp(min=0)


def overlaps(a, b, generalised=False):
    low, high = torch.maximum(a[..., :2], b[..., :2]), torch.minimum(a[..., 2:], b[..., 2:])
    common = (high - low).clamp(min=0).prod(-1)
    union = (areas(a) + areas(b) - common).clamp(min=1e-7)
    if not generalised:
        return common / union
    hull = (torch.maximum(a[..., 2:], b[..., 2:]) - torch.minimum(a[..., :2], b[..., :2])).prod(-1).clamp(min=1e-7)
    return common / union - (hull - union) / hull


@torch.no_grad()
def assigned(boxes, scores, truth, centres, size):
    """For each cell the index of its object or -1, and whether it counts as background.

    Of the cells near an object's middle the cheapest by score and overlap find it: as many as their overlaps sum up to.
    """
    real = (truth[..., 0] >= 0) & (truth[..., 5] > 0)
    common = overlaps(truth[:, :, None, 1:5], boxes[:, None])
    kinds = truth[..., 0].clamp(min=0).long()
    own = scores.transpose(1, 2).gather(1, kinds[..., None].expand(-1, -1, scores.shape[1]))
    cost = F.softplus(-own) + 3 * -torch.log(common.clamp(min=1e-3))
    x, y = centres[..., 0], centres[..., 1]
    inside = ((x[:, None] > truth[..., 1:2]) & (x[:, None] < truth[..., 3:4])
              & (y[:, None] > truth[..., 2:3]) & (y[:, None] < truth[..., 4:5]))
    middle_x, middle_y = (truth[..., 1] + truth[..., 3]) / 2, (truth[..., 2] + truth[..., 4]) / 2
    distance = torch.maximum((x[:, None] - middle_x[..., None]).abs() * size[1],
                             (y[:, None] - middle_y[..., None]).abs() * size[0])
    nearest = distance <= distance.amin(-1, keepdim=True) + 1e-3
    allowed = ((distance < NEAR * STRIDE) & inside | nearest) & real[..., None]
    cost = cost.where(allowed, 1e6)
    count = (common * allowed).topk(10, -1).values.sum(-1).round().clamp(min=1)
    rank = cost.argsort(-1).argsort(-1)
    chosen = (rank < count[..., None]) & allowed
    cost = cost.where(chosen, 1e6)
    best, index = cost.min(1)
    ignored = (truth[..., 0] >= 0) & (truth[..., 5] == 0)
    background = ~(inside & ignored[..., None]).any(1)
    return torch.where(best < 1e5, index, -1), background


def loss_of(boxes, scores, truth, centres, size):
    index, background = assigned(boxes.detach(), scores.detach(), truth, centres, size)
    found = index >= 0
    target = truth.gather(1, index.clamp(min=0)[..., None].expand(-1, -1, 6))
    exact = overlaps(boxes, target[..., 1:5])
    quality = torch.zeros_like(scores)
    kinds = target[..., 0].long().clamp(min=0)
    quality.scatter_(2, kinds[..., None], torch.where(found, 0.25 + 0.75 * exact.detach(), 0.0)[..., None])
    chance = scores.detach().sigmoid()
    weight = torch.where(quality > 0, quality, 0.75 * chance**2)
    weight = weight * (background | found)[..., None]
    count = found.sum().clamp(min=1)
    kind = (F.binary_cross_entropy_with_logits(scores, quality, reduction="none") * weight).sum() / count
    place = (1 - overlaps(boxes, target[..., 1:5], generalised=True))[found].sum() / count
    return kind, place
